/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.agent.SwappedRounds.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What was lost, as tables, and whether that is little enough. */
final class LossTable {
  private static final double GOAL_PERCENT = 2;
  private static final int FEWEST_SWITCHES = 200_000;

  private final Map<Pair, List<PairRun>> measured;

  /**
   * What the medians say, which alone decides.
   *
   * @param isClear whether the intervals leave no doubt of that; empty if there is none
   */
  private record Goal(String title, String found, boolean isMet, Optional<Boolean> isClear) {
    String row() {
      String doubt =
          isClear
              .map(clear -> clear ? "" : ", within the interval")
              .orElse(", too few pairs to tell");
      return "| " + title + " | " + found + " | " + (isMet ? "yes" : "NO") + doubt + " |\n";
    }
  }

  LossTable(Map<Pair, List<PairRun>> measured) {
    this.measured = measured;
  }

  String print() {
    StringBuilder tables = new StringBuilder();
    tables.append("| application with | rounds | requests/s | quartiles | min..max |");
    tables.append(
        " span switches/s | CPU µs/request | % of a processor | % more in the later half |\n");
    tables.append("|---|---|---|---|---|---|---|---|---|\n");
    for (Subject subject : Subject.values()) {
      tables.append(row(subject));
    }
    tables.append("\n| beside the same without | pairs | % requests lost | 90 % interval |");
    tables.append(" quartiles | min..max | % CPU more | 90 % interval |\n");
    tables.append("|---|---|---|---|---|---|---|---|\n");
    for (Pair pair : Pair.values()) {
      tables.append(row(pair));
    }
    tables.append("\n| goal | medians | met |\n|---|---|---|\n");
    goals().forEach(goal -> tables.append(goal.row()));
    return tables.toString();
  }

  boolean isMet() {
    return goals().stream().allMatch(Goal::isMet);
  }

  private String row(Subject subject) {
    Estimate perSecond = runs(subject, Served::perSecond);
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.0f | %.0f..%.0f | %.0f..%.0f | %.0f | %.1f | %.0f | %.1f |%n",
        subject.title,
        perSecond.count(),
        perSecond.median(),
        perSecond.lowerQuartile(),
        perSecond.upperQuartile(),
        perSecond.min(),
        perSecond.max(),
        perSecond.median() * SpanWork.SWITCHES_PER_REQUEST,
        runs(subject, Served::cpuMicros).median(),
        runs(subject, Served::processorPercent).median(),
        drift(subject).median());
  }

  private String row(Pair pair) {
    Estimate lost = lost(pair);
    Estimate cpu = pairs(pair, PairRun::moreCpuPercent);
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.1f | %s | %s | %s | %.1f | %s |%n",
        pair.title,
        lost.count(),
        lost.median(),
        lost.printInterval(),
        lost.printQuartiles(),
        lost.printRange(),
        cpu.median(),
        cpu.printInterval());
  }

  private List<Goal> goals() {
    Estimate ours = lost(Pair.SENNIT);
    double switches =
        runs(Subject.NO_AGENT, Served::perSecond).median() * SpanWork.SWITCHES_PER_REQUEST;
    return List.of(
        new Goal(
            String.format(Locale.ROOT, "%s loses at most %.0f %%", Pair.SENNIT.title, GOAL_PERCENT),
            String.format(Locale.ROOT, "%.1f", ours.median()),
            ours.median() <= GOAL_PERCENT,
            ours.interval().map(interval -> !interval.contains(GOAL_PERCENT))),
        lessThan(ours, Pair.DATADOG),
        lessThan(ours, Pair.SPLUNK),
        new Goal(
            String.format(
                Locale.ROOT, "at %,d span switches/s or more, without an agent", FEWEST_SWITCHES),
            String.format(Locale.ROOT, "%,.0f", switches),
            switches >= FEWEST_SWITCHES,
            Optional.of(true)));
  }

  private Goal lessThan(Estimate ours, Pair peer) {
    Estimate theirs = lost(peer);
    return new Goal(
        "and less than " + peer.title,
        String.format(Locale.ROOT, "%.1f beside %.1f", ours.median(), theirs.median()),
        ours.median() < theirs.median(),
        ours.interval().flatMap(one -> theirs.interval().map(other -> !one.overlaps(other))));
  }

  private Estimate lost(Pair pair) {
    return pairs(pair, PairRun::lostPercent);
  }

  private Estimate pairs(Pair pair, ToDoubleFunction<PairRun> quantity) {
    return Estimate.of(
        measured.getOrDefault(pair, List.of()).stream().mapToDouble(quantity).boxed().toList());
  }

  /** Of all JVMs with it, in whichever pair. */
  private Estimate runs(Subject subject, ToDoubleFunction<Served> quantity) {
    return Estimate.of(
        measured.entrySet().stream()
            .flatMap(entry -> served(subject, entry.getKey(), entry.getValue()))
            .mapToDouble(quantity)
            .boxed()
            .toList());
  }

  private Estimate drift(Subject subject) {
    List<Double> drifts = new ArrayList<>();
    measured.forEach(
        (pair, runs) -> {
          for (PairRun run : runs) {
            if (pair.without == subject) {
              drifts.add(run.driftPercent(Round::without));
            }
            if (pair.with == subject) {
              drifts.add(run.driftPercent(Round::with));
            }
          }
        });
    return Estimate.of(drifts);
  }

  private static Stream<Served> served(Subject subject, Pair pair, List<PairRun> measured) {
    return measured.stream()
        .flatMap(PairRun::rounds)
        .flatMap(
            round ->
                Stream.concat(
                    pair.without == subject ? Stream.of(round.without()) : Stream.empty(),
                    pair.with == subject ? Stream.of(round.with()) : Stream.empty()));
  }
}
