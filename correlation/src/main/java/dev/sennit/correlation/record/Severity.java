/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

/** How grave a line is, in the ranges of OpenTelemetry's logs data model. */
public enum Severity {
  UNSPECIFIED(0),
  TRACE(1),
  DEBUG(5),
  INFO(9),
  NOTICE(10),
  WARN(13),
  ERROR(17),
  CRITICAL(18),
  ALERT(19),
  FATAL(21);

  private final int number;

  Severity(int number) {
    this.number = number;
  }

  /** Its {@code SeverityNumber}. */
  public int number() {
    return number;
  }
}
