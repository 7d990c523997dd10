/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** What is done to a message on its way. */
public enum Compression {
  NONE("none"),
  GZIP("gzip");

  private final String settingValue;

  Compression(String settingValue) {
    this.settingValue = settingValue;
  }

  /** The value as it stands in settings. */
  public String settingValue() {
    return settingValue;
  }
}
