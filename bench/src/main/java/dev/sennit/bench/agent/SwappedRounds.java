/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two rounds of a pair, in one of which each JVM has the core or the turn of the other. Both may be
 * made of slices that take turns.
 */
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

    /** The least that was measured at the same time. */
    double overlap() {
      return IntStream.range(0, with.slices().size())
          .mapToDouble(i -> with.slices().get(i).overlap(without.slices().get(i)))
          .min()
          .orElseThrow();
    }

    /** All that was done in the one and in the other. */
    Round plus(Round that) {
      return new Round(without.plus(that.without), with.plus(that.with));
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

  /** All that was done in the one couple and in the other. */
  SwappedRounds plus(SwappedRounds that) {
    return new SwappedRounds(first.plus(that.first), second.plus(that.second));
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
