/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How many requests are looked at in a second; those of a second may come at once. */
final class Rate {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int perSecond;
  private final long nanosOfOne;

  /** Since the beginning, by which all that was admitted would be done at an even pace. */
  private final AtomicLong paidUntil = new AtomicLong();

  private final long beginning = System.nanoTime();

  Rate(int perSecond) {
    this.perSecond = perSecond;
    this.nanosOfOne = Math.max(1, SECOND / perSecond);
  }

  void admit() throws RefusedException {
    while (true) {
      long now = System.nanoTime() - beginning;
      long before = paidUntil.get();
      long after = Math.max(before, now) + nanosOfOne;
      if (after - now > SECOND) {
        throw RefusedException.later(
            Duration.ofSeconds(1), "there are more than " + perSecond + " requests a second");
      }
      if (paidUntil.compareAndSet(before, after)) {
        return;
      }
    }
  }
}
