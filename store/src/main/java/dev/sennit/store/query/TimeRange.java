/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * From a moment on and before another.
 *
 * @param from nanoseconds since 1970
 * @param to nanoseconds since 1970
 */
public record TimeRange(long from, long to) {
  public static final TimeRange ALL = new TimeRange(0, Long.MAX_VALUE - 1);

  public TimeRange {
    if (from >= to) {
      throw new IllegalArgumentException("a range from " + from + " to " + to + " is empty");
    }
  }

  public static TimeRange of(Instant from, Instant to) {
    return new TimeRange(
        ChronoUnit.NANOS.between(Instant.EPOCH, from), ChronoUnit.NANOS.between(Instant.EPOCH, to));
  }
}
