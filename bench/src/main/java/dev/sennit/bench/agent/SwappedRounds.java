/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.stream.Stream;

/** Two rounds of a pair, in one of which each JVM has the core or the turn of the other. */
record SwappedRounds(Round first, Round second) {
  private static final double UNDISTURBED_PERCENT = 95;

  /** What the two JVMs of a pair did. */
  record Round(Served without, Served with) {
    double throughput() {
      return with.perSecond() / without.perSecond();
    }

    double cpu() {
      return with.cpuMicros() / without.cpuMicros();
    }

    /** Whether one had less than nearly all of its core, so that others decide on what it did. */
    boolean isDisturbed() {
      return Math.min(with.processorPercent(), without.processorPercent()) < UNDISTURBED_PERCENT;
    }

    /** How much of the time in which either was measured both were. */
    double overlap() {
      double both =
          Math.min(with.end().nanos(), without.end().nanos())
              - (double) Math.max(with.begin().nanos(), without.begin().nanos());
      double either =
          Math.max(with.end().nanos(), without.end().nanos())
              - (double) Math.min(with.begin().nanos(), without.begin().nanos());
      return Math.max(0, both / either);
    }
  }

  /** Whether both JVMs had their cores for themselves, or nearly so. */
  boolean isCalm() {
    return rounds().noneMatch(Round::isDisturbed);
  }

  /** Whether both JVMs got something done at all, each time. */
  boolean isComplete() {
    return rounds()
        .flatMap(round -> Stream.of(round.with, round.without))
        .allMatch(served -> served.perSecond() > 0);
  }

  Stream<Round> rounds() {
    return Stream.of(first, second);
  }

  /** A core that is slower by a factor divides one ratio by it and multiplies the other. */
  double lostPercent() {
    return 100 * (1 - Math.sqrt(first.throughput() * second.throughput()));
  }

  double moreCpuPercent() {
    return 100 * (Math.sqrt(first.cpu() * second.cpu()) - 1);
  }
}
