/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import java.time.Duration;

/**
 * How lines are joined to spans.
 *
 * @param window how far the time of a line may be from its span
 * @param ambiguous what becomes of a line that could belong to several spans of its process
 * @param waiting how many lines wait at most for a span that becomes known after them
 * @param spans of one process, how many are known at a time
 */
public record CorrelationSettings(Duration window, Ambiguous ambiguous, int waiting, int spans) {
  /** What becomes of a line that could belong to several spans of its process. */
  public enum Ambiguous {
    /** It is left alone. */
    SILENT,
    /** It gets the span that began last, which may well be another request's. */
    LATEST
  }

  public CorrelationSettings {
    if (window.isNegative() || window.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "window is " + window + ", but must be between nothing and one minute");
    }
    if (waiting < 0 || spans < 1) {
      throw new IllegalArgumentException(
          "waiting is " + waiting + " and spans " + spans + ", but must be at least 0 and 1");
    }
  }

  /** A window of 100 ms, in doubt silent, and at most 1,000 lines that wait. */
  public static CorrelationSettings defaults() {
    return new CorrelationSettings(Duration.ofMillis(100), Ambiguous.SILENT, 1_000, 4_096);
  }

  public CorrelationSettings withWindow(Duration newWindow) {
    return new CorrelationSettings(newWindow, ambiguous, waiting, spans);
  }

  public CorrelationSettings withAmbiguous(Ambiguous newAmbiguous) {
    return new CorrelationSettings(window, newAmbiguous, waiting, spans);
  }
}
