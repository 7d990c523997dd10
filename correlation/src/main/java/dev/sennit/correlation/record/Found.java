/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

import java.util.Locale;

/** How the span of a line was found, the surest way first. */
public enum Found {
  /** The line itself says it. */
  LINE,
  /** The record of the thread said it at the moment of the write. */
  RECORD,
  /** The thread was serving this one request. */
  THREAD,
  /** The process was serving this one request. */
  PROCESS,
  /** The span became known after the line. */
  RETROACTIVE;

  /** The value of {@code sennit.correlation}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
