/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import dev.sennit.profiles.MutatedConversions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What became of all mutations: by recording, by kind of error, and each that went wrong. */
final class Outcomes {
  private final List<String> recordings;
  private final long[] converted;
  private final long[] refused;
  private final long[] wrong;
  private final Map<String, Long> kinds = new TreeMap<>();
  private final List<Outcome> failures = new ArrayList<>();

  Outcomes(List<String> recordings) {
    this.recordings = recordings;
    this.converted = new long[recordings.size()];
    this.refused = new long[recordings.size()];
    this.wrong = new long[recordings.size()];
  }

  synchronized void add(Outcome outcome) {
    int recording = (int) (outcome.number() % recordings.size());
    if (!outcome.isGood()) {
      wrong[recording]++;
      failures.add(outcome);
    } else if (outcome.end().equals(MutatedConversions.CONVERTED)) {
      converted[recording]++;
    } else {
      refused[recording]++;
      kinds.merge(outcome.details(), 1L, Long::sum);
    }
  }

  /** Those that ended in neither a result nor a clear error. */
  synchronized List<Outcome> failures() {
    return failures.stream().sorted(Comparator.comparingLong(Outcome::number)).toList();
  }

  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("| recording | mutations | converted, and valid | refused | neither |");
    lines.add("|---|---|---|---|---|");
    for (int i = 0; i < recordings.size(); i++) {
      lines.add(row(recordings.get(i), converted[i], refused[i], wrong[i]));
    }
    lines.add(row("all", sum(converted), sum(refused), sum(wrong)));
    lines.add("");
    lines.add("| refused because | mutations |");
    lines.add("|---|---|");
    kinds.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            kind ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "| %s | %,d |",
                        kind.getKey().replace("|", "\\|"),
                        kind.getValue())));
    return lines;
  }

  private static String row(String name, long converted, long refused, long wrong) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %,d |",
        name,
        converted + refused + wrong,
        converted,
        refused,
        wrong);
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }
}
