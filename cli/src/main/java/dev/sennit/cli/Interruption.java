/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C as the ordinary end of a command that runs until then: the command hears of it, finishes
 * what it is doing, and the exit status is 0.
 */
final class Interruption implements AutoCloseable {
  /** Enough to let a stopped thread of another process go on; a command that hangs ends anyway. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().name("sennit-interruption").unstarted(this::end);

  private Interruption() {}

  static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Waits; true as soon as the command is to end. */
  boolean comesWithin(Duration duration) {
    try {
      return requested.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private void end() {
    requested.countDown();
    try {
      if (finished.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    finished.countDown();
    if (requested.getCount() > 0) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending already, and the hook with it.
        requested.countDown();
      }
    }
  }
}
