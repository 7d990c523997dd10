/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says when a dump was taken. The request waits until all threads have stopped, which on a busy
 * machine takes longer than the dump; so the instant is counted back from the answer, by the time
 * that the JVM says it had everything stopped.
 */
final class DumpClock {
  private final @Nullable Safepoints safepoints;
  private long stoppedBefore;
  private long start;
  private long unixNanos;

  DumpClock(@Nullable Safepoints safepoints) {
    this.safepoints = safepoints;
  }

  void begin() {
    stoppedBefore = safepoints == null ? 0 : safepoints.stoppedNanos();
    start = System.nanoTime();
  }

  void end() {
    long taken = System.nanoTime() - start;
    long sinceInstant =
        safepoints == null ? taken / 2 : Math.min(taken, safepoints.stoppedNanos() - stoppedBefore);
    Instant now = Instant.now();
    unixNanos = now.getEpochSecond() * 1_000_000_000 + now.getNano() - sinceInstant;
  }

  long unixNanos() {
    return unixNanos;
  }
}
