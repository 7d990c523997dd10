/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.agent.SwappedRounds.Round;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What the two JVMs of a pair did, in rounds one right after the other. What disturbs one of them
 * for a moment makes some of the couples wrong, and the median stays.
 */
record PairRun(List<SwappedRounds> couples) {
  /**
   * The first so many that were calm; if there are fewer, the first of the others as well, but none
   * in which a JVM got nothing done.
   */
  static PairRun calmest(List<SwappedRounds> measured, int wanted) {
    List<SwappedRounds> couples =
        measured.stream()
            .filter(SwappedRounds::isComplete)
            .sorted(Comparator.comparing(SwappedRounds::isCalm).reversed())
            .limit(wanted)
            .toList();
    if (couples.isEmpty()) {
      throw new IllegalStateException("others had the cores all the time");
    }
    return new PairRun(couples);
  }

  /** Whether both JVMs had their cores for themselves in all couples, or nearly so. */
  boolean isCalm() {
    return couples.stream().allMatch(SwappedRounds::isCalm);
  }

  Stream<Round> rounds() {
    return couples.stream().flatMap(SwappedRounds::rounds);
  }

  double lostPercent() {
    return median(SwappedRounds::lostPercent);
  }

  double moreCpuPercent() {
    return median(SwappedRounds::moreCpuPercent);
  }

  /** How much more one JVM did in the later half; far from nothing if it was not warm yet. */
  double driftPercent(Function<Round, Served> side) {
    List<Double> rates = rounds().map(side).map(Served::perSecond).toList();
    int half = rates.size() / 2;
    double earlier = Estimate.of(rates.subList(0, half)).median();
    double later = Estimate.of(rates.subList(half, rates.size())).median();
    return 100 * (later / earlier - 1);
  }

  String print() {
    Estimate lost = Estimate.of(couples.stream().map(SwappedRounds::lostPercent).toList());
    return String.format(
        Locale.ROOT,
        "%.1f %% lost (%.1f..%.1f), %.1f %% more CPU",
        lost.median(),
        lost.min(),
        lost.max(),
        moreCpuPercent());
  }

  private double median(ToDoubleFunction<SwappedRounds> quantity) {
    return Estimate.of(couples.stream().mapToDouble(quantity).boxed().toList()).median();
  }
}
