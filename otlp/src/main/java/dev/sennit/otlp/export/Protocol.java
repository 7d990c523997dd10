/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** How OTLP travels. */
public enum Protocol {
  GRPC("grpc", 4317),
  HTTP_PROTOBUF("http/protobuf", 4318);

  private final String settingValue;
  private final int defaultPort;

  Protocol(String settingValue, int defaultPort) {
    this.settingValue = settingValue;
    this.defaultPort = defaultPort;
  }

  /** The value as it stands in settings. */
  public String settingValue() {
    return settingValue;
  }

  /** Where a collector on the same host listens unless told otherwise. */
  int defaultPort() {
    return defaultPort;
  }
}
