/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.memory.Libc;
import dev.sennit.tracing.span.HostClock;
import java.time.Instant;

/**
 * The clock of this host. How far the world's time is from the monotonic one changes when the
 * former is set, so it is looked at again every second.
 */
final class HostTime implements HostClock {
  private static final long SECOND = 1_000_000_000;

  private long offset = measure();
  private long measuredAt = System.nanoTime();

  @Override
  public long unixNanos(long monotonicNanos) {
    if (System.nanoTime() - measuredAt > SECOND) {
      offset = measure();
      measuredAt = System.nanoTime();
    }
    return monotonicNanos + offset;
  }

  /** Nanoseconds since 1970. */
  static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * SECOND + now.getNano();
  }

  private static long measure() {
    return now() - Libc.clockNanos(Libc.CLOCK_MONOTONIC);
  }
}
