/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.time.Clock;

/**
 * The span of time that a question names: the last so many seconds, or from one time to another.
 */
final class Ranges {
  private static final long USUAL_SECONDS = 900;
  private static final long MOST_SECONDS = 10L * 365 * 86_400;
  private static final long MOST_MILLIS = Long.MAX_VALUE / 1_000_000;
  private static final long NANOS = 1_000_000;

  private final Clock clock;

  Ranges(Clock clock) {
    this.clock = clock;
  }

  /** By {@code from} and {@code to}, in milliseconds since 1970, or by {@code last}, in seconds. */
  TimeRange of(Query query) throws ViewException {
    long now = clock.millis();
    if (query.text("from").isPresent() || query.text("to").isPresent()) {
      long from = query.number("from", 0, MOST_MILLIS, 0);
      // What is said to begin a little later than now was told by a clock ahead of ours.
      long to = query.number("to", 0, MOST_MILLIS, now + 60_000);
      if (from >= to) {
        throw ViewException.wrong("from is " + from + ", but must be before to, which is " + to);
      }
      return new TimeRange(from * NANOS, to * NANOS);
    }
    long last = query.number("last", 1, MOST_SECONDS, USUAL_SECONDS);
    return new TimeRange(Math.max(0, now - last * 1000) * NANOS, (now + 60_000) * NANOS);
  }
}
