/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.handoff;

import dev.sennit.bench.Rounds;
import dev.sennit.bench.Rounds.Pace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * {@code bench/handoff}: a hand-over without an agent, with one that does nothing, and with ours,
 * in and out of a span.
 */
public final class HandOffCost {
  private static final Pace FULL = new Pace(9, 8, 10, TimeValue.milliseconds(200));
  private static final Pace QUICK = new Pace(3, 5, 5, TimeValue.milliseconds(100));
  private static final double GOAL = 40;
  private static final List<String> OPERATIONS = List.of("execute", "submit", "startVirtualThread");

  /** Some of it every agent costs, whatever it does. */
  private static final String EMPTY = "an empty agent";

  private final Rounds rounds;
  private final Path emptyAgent;
  private final Map<String, List<Double>> nanos = new LinkedHashMap<>();

  private HandOffCost(Rounds rounds, Path emptyAgent) {
    this.rounds = rounds;
    this.emptyAgent = emptyAgent;
  }

  public static void main(String[] arguments) throws IOException {
    Pace pace = Rounds.pace(FULL, QUICK, arguments);
    Path log = Rounds.folder().resolve("handoff.log");
    try (Rounds rounds = new Rounds(pace, log)) {
      HandOffCost cost = new HandOffCost(rounds, EmptyAgent.jar(Rounds.folder()));
      rounds.repeat(cost::round);
      cost.print();
      System.out.println();
      System.out.println(rounds.conditions());
    } catch (RunnerException e) {
      System.err.println("a benchmark failed: " + e.getMessage() + "; see " + log);
      System.exit(1);
    }
  }

  private void round() throws RunnerException {
    Path agent =
        Rounds.folder().resolve("../../agent/target/sennit-agent.jar").toAbsolutePath().normalize();
    for (String operation : OPERATIONS) {
      measure(operation, "no agent", "false", List.of());
      measure(operation, EMPTY, "false", List.of("-javaagent:" + emptyAgent));
      List<String> options = List.of("-javaagent:" + agent + "=handoff");
      measure(operation, "out of a span", "false", options);
      measure(operation, "in a span", "true", options);
    }
  }

  private void measure(String operation, String subject, String inSpan, List<String> options)
      throws RunnerException {
    int before = rounds.results().size();
    rounds.run(
        Rounds.include(HandOffCost.class, "HandOffBenchmark." + operation)
            .param("inSpan", inSpan)
            .jvmArgsAppend(options.toArray(String[]::new)));
    for (RunResult result : rounds.results().subList(before, rounds.results().size())) {
      nanos
          .computeIfAbsent(operation + ", " + subject, key -> new ArrayList<>())
          .add(result.getPrimaryResult().getScore());
    }
  }

  private void print() {
    System.out.println("| a task, handed over and run | ns | more than without | goal | met |");
    System.out.println("|---|---|---|---|---|");
    for (String operation : OPERATIONS) {
      List<Double> without = nanos.getOrDefault(operation + ", no agent", List.of());
      System.out.printf(Locale.ROOT, "| %s, no agent | %s | | | |%n", operation, spread(without));
      for (String subject : List.of(EMPTY, "out of a span", "in a span")) {
        List<Double> with = nanos.getOrDefault(operation + ", " + subject, List.of());
        List<Double> more = new ArrayList<>();
        for (int i = 0; i < Math.min(with.size(), without.size()); i++) {
          more.add(with.get(i) - without.get(i));
        }
        System.out.printf(
            Locale.ROOT,
            "| %s, %s | %s | %s | %s |%n",
            operation,
            subject,
            spread(with),
            spread(more),
            subject.equals(EMPTY) ? "|" : verdict(median(more)));
      }
    }
  }

  private static String verdict(double more) {
    return String.format(Locale.ROOT, "<= %.0f | %s", GOAL, more <= GOAL ? "yes" : "NO");
  }

  private static String spread(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return String.format(
        Locale.ROOT, "%.0f (%.0f..%.0f)", median(values), sorted[0], sorted[sorted.length - 1]);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
  }
}
