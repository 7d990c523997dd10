/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.Locale;

/** What is sent: each kind of data has a path and a method of its own, and settings of its own. */
public enum Signal {
  PROFILES(
      "v1development/profiles",
      "opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export"),
  TRACES("v1/traces", "opentelemetry.proto.collector.trace.v1.TraceService/Export"),
  LOGS("v1/logs", "opentelemetry.proto.collector.logs.v1.LogsService/Export"),
  METRICS("v1/metrics", "opentelemetry.proto.collector.metrics.v1.MetricsService/Export");

  private final String httpPath;
  private final String grpcMethod;

  Signal(String httpPath, String grpcMethod) {
    this.httpPath = httpPath;
    this.grpcMethod = grpcMethod;
  }

  /** The name as it stands in settings. */
  public String settingName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The path below a collector's address, without a slash before it. */
  public String httpPath() {
    return httpPath;
  }

  /** Service and method, without a slash before them. */
  public String grpcMethod() {
    return grpcMethod;
  }
}
