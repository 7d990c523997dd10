/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** What was lost, as a table, and whether that is little enough. */
final class LossTable {
  private static final double GOAL_PERCENT = 2;
  private static final int FEWEST_SWITCHES = 200_000;

  private final Map<Subject, List<Served>> runs;

  LossTable(Map<Subject, List<Served>> runs) {
    this.runs = runs;
  }

  String print() {
    StringBuilder table = new StringBuilder();
    table.append("| application with | requests/s | span switches/s | CPU µs/request |");
    table.append(" % requests lost | % CPU more | goal | met |\n");
    table.append("|---|---|---|---|---|---|---|---|\n");
    for (Subject subject : Subject.values()) {
      if (runs.containsKey(subject)) {
        table.append(row(subject)).append('\n');
      }
    }
    return table.toString();
  }

  private String row(Subject subject) {
    Samples served = samples(subject, Served::perSecond);
    String row =
        String.format(
            Locale.ROOT,
            "| %s | %.0f (%.0f..%.0f) | %.0f | %s |",
            subject.title,
            served.median(),
            served.min(),
            served.max(),
            served.median() * SpanWork.SWITCHES_PER_REQUEST,
            samples(subject, Served::cpuMicros).print());
    if (subject.off() == subject) {
      return row + " | | | |";
    }
    return row
        + " "
        + lost(subject).print()
        + " | "
        + pairs(subject, (on, off) -> 100 * (on.cpuMicros() / off.cpuMicros() - 1)).print()
        + (subject == Subject.SENNIT
            ? " | <= 2, less than both | " + (isMet() ? "yes |" : "NO |")
            : " | | |");
  }

  boolean isMet() {
    double ours = lost(Subject.SENNIT).median();
    return ours <= GOAL_PERCENT
        && ours < lost(Subject.DATADOG).median()
        && ours < lost(Subject.SPLUNK).median()
        && samples(Subject.NO_AGENT, Served::perSecond).median() * SpanWork.SWITCHES_PER_REQUEST
            >= FEWEST_SWITCHES;
  }

  private Samples lost(Subject subject) {
    return pairs(subject, (on, off) -> 100 * (1 - on.perSecond() / off.perSecond()));
  }

  private Samples pairs(Subject subject, ToDoubleBiFunction<Served, Served> difference) {
    List<Served> on = of(subject);
    List<Served> off = of(subject.off());
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < on.size(); i++) {
      differences.add(difference.applyAsDouble(on.get(i), off.get(i)));
    }
    return Samples.of(differences);
  }

  private Samples samples(Subject subject, ToDoubleFunction<Served> quantity) {
    return Samples.of(of(subject).stream().mapToDouble(quantity).boxed().toList());
  }

  private List<Served> of(Subject subject) {
    return runs.getOrDefault(subject, List.of());
  }
}
