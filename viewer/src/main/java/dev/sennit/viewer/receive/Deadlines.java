/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Interrupts who waits too long for a sender. */
final class Deadlines implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("sennit-receive-deadlines").factory());
  private final Duration time;

  Deadlines(Duration time) {
    this.time = time;
    // Or every request would be held here for as long as it might have taken.
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Begins the time of the calling thread. */
  Deadline begin() {
    return new Deadline();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** The time of one thread; once closed it interrupts no more. */
  final class Deadline implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final Future<?> task =
        timer.schedule(this::expire, time.toNanos(), TimeUnit.NANOSECONDS);
    private boolean closed;
    private boolean expired;

    private synchronized void expire() {
      if (!closed) {
        expired = true;
        thread.interrupt();
      }
    }

    synchronized boolean isExpired() {
      return expired;
    }

    /** Leaves the thread uninterrupted, if it was for being late. */
    @Override
    public synchronized void close() {
      closed = true;
      task.cancel(false);
      if (expired) {
        var _ = Thread.interrupted();
      }
    }
  }
}
