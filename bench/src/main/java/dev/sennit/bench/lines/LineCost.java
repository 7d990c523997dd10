/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.lines;

import dev.sennit.bench.Rounds;
import dev.sennit.bench.Rounds.Pace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/** {@code bench/lines}: a line of Logback and one of JSON, each step for itself. */
public final class LineCost {
  private static final Pace FULL = new Pace(9, 8, 10, TimeValue.milliseconds(200));
  private static final Pace QUICK = new Pace(3, 5, 5, TimeValue.milliseconds(100));
  private static final Map<String, Double> GOALS =
      Map.of("parse, logback", 1000.0, "parse, json", 2000.0);

  private final Map<String, List<Double>> nanos = new LinkedHashMap<>();
  private final Map<String, List<Double>> bytes = new LinkedHashMap<>();

  private LineCost() {}

  public static void main(String[] arguments) throws IOException {
    Pace pace = Rounds.pace(FULL, QUICK, arguments);
    Path log = Rounds.folder().resolve("lines.log");
    try (Rounds rounds = new Rounds(pace, log)) {
      LineCost cost = new LineCost();
      rounds.repeat(() -> rounds.run(Rounds.include(LineCost.class, "LineBenchmark.*")));
      rounds.results().forEach(cost::add);
      boolean met = cost.print();
      System.out.println();
      System.out.println(rounds.conditions());
      System.exit(met ? 0 : 1);
    } catch (RunnerException e) {
      System.err.println("a benchmark failed: " + e.getMessage() + "; see " + log);
      System.exit(1);
    }
  }

  private void add(RunResult result) {
    String benchmark = result.getParams().getBenchmark();
    String name =
        benchmark.substring(benchmark.lastIndexOf('.') + 1)
            + ", "
            + result.getParams().getParam("layout");
    nanos.computeIfAbsent(name, key -> new ArrayList<>()).add(result.getPrimaryResult().getScore());
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    bytes
        .computeIfAbsent(name, key -> new ArrayList<>())
        .add(allocated == null ? Double.NaN : allocated.getScore());
  }

  /** True if the goals are met. */
  private boolean print() {
    System.out.println("| a line | ns | bytes allocated | goal | met |");
    System.out.println("|---|---|---|---|---|");
    boolean all = true;
    for (String name : nanos.keySet()) {
      double[] times = sorted(nanos.getOrDefault(name, List.of()));
      double median = times[times.length / 2];
      double goal = GOALS.getOrDefault(name, Double.NaN);
      boolean met = !(median > goal);
      all &= met;
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f (%.0f..%.0f) | %.0f | %s | %s |%n",
          name,
          median,
          times[0],
          times[times.length - 1],
          sorted(bytes.getOrDefault(name, List.of()))[times.length / 2],
          Double.isNaN(goal) ? "" : String.format(Locale.ROOT, "<= %.0f", goal),
          Double.isNaN(goal) ? "" : met ? "yes" : "NO");
    }
    return all;
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }
}
