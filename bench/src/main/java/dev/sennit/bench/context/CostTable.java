/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Lays the costs of Sennit beside those of its peer, as a table in Markdown. */
final class CostTable {
  /** What a set may cost, of what the peer's costs. */
  private static final double GOAL = 1.0 / 3;

  /** What the goal is about. */
  private static final String GOAL_OPERATION = "set";

  private static final Set<String> GOAL_MODES = Set.of("otel", "otep");

  private static final List<String> HEADER =
      List.of(
          "| operation | mode | threads | CPU ns/op (min..max) | wall ns/op | B/op"
              + " | peer CPU ns/op (min..max) | its profiler | ratio | goal | met |",
          "|---|---|---|---|---|---|---|---|---|---|---|");

  private final List<Measurement> measurements;

  CostTable(List<Measurement> measurements) {
    this.measurements = measurements;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>(HEADER);
    for (Measurement measurement : measurements) {
      if (!measurement.subject().isPeer()) {
        lines.add(row(measurement));
      }
    }
    return lines;
  }

  private String row(Measurement ours) {
    Subject subject = ours.subject();
    List<String> cells = new ArrayList<>();
    cells.add(subject.operation());
    cells.add(subject.variant());
    cells.add(Integer.toString(subject.threads()));
    cells.add(ours.cpu().print());
    cells.add(decimals(1, ours.wall().median()));
    cells.add(decimals(2, ours.bytes().median()));
    fasterPeer(subject)
        .ifPresentOrElse(
            peer -> addComparison(cells, ours, peer),
            () -> cells.addAll(List.of("", "", "", "", "")));
    return "| " + String.join(" | ", cells) + " |";
  }

  private static void addComparison(List<String> cells, Measurement ours, Measurement peer) {
    double ratio = ours.cpu().median() / peer.cpu().median();
    cells.add(peer.cpu().print());
    cells.add(peer.subject().variant());
    cells.add(decimals(3, ratio));
    Subject subject = ours.subject();
    if (subject.operation().equals(GOAL_OPERATION) && GOAL_MODES.contains(subject.variant())) {
      cells.add("<= " + decimals(3, GOAL));
      cells.add(ratio <= GOAL ? "yes" : "NO");
    } else {
      cells.addAll(List.of("", ""));
    }
  }

  /** The peer doing the same, with its profiler running or not, whichever costs it less. */
  private Optional<Measurement> fasterPeer(Subject subject) {
    return measurements.stream()
        .filter(other -> other.subject().isPeer())
        .filter(other -> other.subject().operation().equals(subject.operation()))
        .filter(other -> other.subject().threads() == subject.threads())
        .min(Comparator.comparingDouble(other -> other.cpu().median()));
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
