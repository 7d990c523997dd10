/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.bench.Rounds;
import dev.sennit.bench.Rounds.Pace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks of this package in rounds and prints one table. In a round every operation is
 * measured in all modes and at the peer's.
 */
public final class ContextCost {
  private static final Pace FULL = new Pace(5, 10, 10, TimeValue.milliseconds(100));
  private static final Pace QUICK = new Pace(2, 4, 5, TimeValue.milliseconds(100));

  private static final String[] MODES = {"profiler", "otel", "otep"};

  /** Two threads get tids that no capacity brings side by side; those of another JVM may do. */
  private static final int SHARED_LINE_ATTEMPTS = 5;

  private final Rounds rounds;

  private ContextCost(Rounds rounds) {
    this.rounds = rounds;
  }

  public static void main(String[] arguments) throws IOException {
    Pace pace = Rounds.pace(FULL, QUICK, arguments);
    Path folder = Rounds.folder();
    Path log = folder.resolve("context.log");
    try (Rounds rounds = new Rounds(pace, log)) {
      rounds.repeat(new ContextCost(rounds)::round);
      rounds.writeJson(folder.resolve("context.json"));
      new CostTable(Measurement.of(rounds.results())).lines().forEach(System.out::println);
      System.out.println();
      System.out.println(rounds.conditions());
    } catch (RunnerException e) {
      System.err.println("a benchmark failed: " + e.getMessage() + "; see " + log);
      System.exit(1);
    }
  }

  private void round() throws RunnerException {
    for (String operation : List.of("set", "clear", "setAndClear")) {
      run("(Context|Datadog)Benchmark." + operation, 1, MODES);
      run("(Context|Datadog)Benchmark." + operation, 2, MODES);
      runInSharedLine("ContextBenchmark." + operation);
    }
    run("ContextBenchmark.get", 1, MODES);
    run("ContextBenchmark.get", 2, MODES);
    runInSharedLine("ContextBenchmark.get");
    run("ByTidBenchmark.getByTid", 1, "otel");
    run("ByTidBenchmark.getByTid", 2, "otel");
    run("VirtualThreadBenchmark.setOnVirtualThread", 1, MODES);
    run("OutsideReadBenchmark.*", 1, "otel", "otep");
  }

  private void run(String benchmark, int threads, String... modes) throws RunnerException {
    rounds.run(Rounds.include(ContextCost.class, benchmark).param("mode", modes).threads(threads));
  }

  private void runInSharedLine(String benchmark) {
    for (int attempt = 1; attempt <= SHARED_LINE_ATTEMPTS; attempt++) {
      try {
        run(benchmark, 2, RingPlacement.SHARED_LINE);
        return;
      } catch (RunnerException e) {
        rounds.log(benchmark + ", attempt " + attempt + ": " + e.getMessage());
      }
    }
  }
}
