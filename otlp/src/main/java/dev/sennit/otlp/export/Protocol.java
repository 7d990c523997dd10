/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** How OTLP travels. */
public enum Protocol {
  /** gRPC's libraries, and so the Collector, refuse more than 4 MiB. */
  GRPC("grpc", 4317, 3584L << 10),
  /** The Collector refuses more than 20 MiB. */
  HTTP_PROTOBUF("http/protobuf", 4318, 16L << 20);

  private final String settingValue;
  private final int defaultPort;
  private final long defaultMaxSize;

  Protocol(String settingValue, int defaultPort, long defaultMaxSize) {
    this.settingValue = settingValue;
    this.defaultPort = defaultPort;
    this.defaultMaxSize = defaultMaxSize;
  }

  /** The value as it stands in settings. */
  public String settingValue() {
    return settingValue;
  }

  /** Where a collector on the same host listens unless told otherwise. */
  int defaultPort() {
    return defaultPort;
  }

  /** How large a message may be so that receivers take it unless told otherwise. */
  long defaultMaxSize() {
    return defaultMaxSize;
  }
}
