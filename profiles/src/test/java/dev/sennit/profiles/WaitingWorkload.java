/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import one.profiler.AsyncProfiler;
import one.profiler.Span;

/**
 * Waits for half a second, and says afterwards that the middle of that was in a span: nothing has
 * run at its begin and its end.
 */
public final class WaitingWorkload {
  private WaitingWorkload() {}

  public static void main(String[] args) throws Exception {
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    profiler.execute(args[0]);
    for (int i = 0; i < 3; i++) {
      long begin = Span.start();
      waitInTheMiddle();
      long quarter = (Span.start() - begin) / 4;
      Span.emit(begin + quarter, begin + 3 * quarter, SpannedWorkload.traceparent());
    }
    profiler.execute("stop");
  }

  private static void waitInTheMiddle() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
