/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failure: twice as long each time, up to a limit, and never quite as long
 * as others who failed at the same moment.
 */
final class Backoff {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(30);

  /** A collector that wants more is asked again all the same; its clock may be wrong. */
  static final Duration LONGEST_DEMAND = Duration.ofHours(1);

  private static final double JITTER = 0.2;

  private final Duration first;
  private final Duration longest;
  private final RandomGenerator random;
  private Duration next;

  Backoff(RandomGenerator random) {
    this(FIRST, LONGEST, random);
  }

  Backoff(Duration first, Duration longest, RandomGenerator random) {
    this.first = first;
    this.longest = longest;
    this.random = random;
    this.next = first;
  }

  /** The time to wait now, which is what the collector demands if it demands anything. */
  Duration after(Optional<Duration> demand) {
    if (demand.isPresent() && demand.get().isPositive()) {
      return demand.get().compareTo(LONGEST_DEMAND) < 0 ? demand.get() : LONGEST_DEMAND;
    }
    double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
    Duration wait = Duration.ofNanos((long) (next.toNanos() * factor));
    next = next.multipliedBy(2).compareTo(longest) < 0 ? next.multipliedBy(2) : longest;
    return wait.compareTo(longest) < 0 ? wait : longest;
  }

  /** Something went through. */
  void reset() {
    next = first;
  }
}
