/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks of this package in rounds and prints one table. In a round every operation is
 * measured in all modes and at the peer's, one short fork after the other, so that whatever else
 * the machine does meets all of them alike.
 */
public final class ContextCost {
  private static final String[] MODES = {"profiler", "otel", "otep"};
  private static final String[] MODES_OF_TWO_THREADS = {
    "profiler", "otel", RingPlacement.SHARED_LINE, "otep"
  };

  private final Pace pace;
  private final OutputFormat log;
  private final List<RunResult> results = new ArrayList<>();

  /** How long everything takes. */
  private record Pace(int rounds, int warmups, int iterations, TimeValue iteration) {
    static final Pace FULL = new Pace(5, 10, 10, TimeValue.milliseconds(100));
    static final Pace QUICK = new Pace(2, 4, 5, TimeValue.milliseconds(100));
  }

  private ContextCost(Pace pace, PrintStream log) {
    this.pace = pace;
    this.log = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
  }

  public static void main(String[] arguments) throws IOException {
    List<String> options = List.of(arguments);
    if (!options.isEmpty() && !options.equals(List.of("--quick"))) {
      System.err.println("unknown option " + String.join(" ", options) + "; there is --quick");
      System.exit(2);
    }
    Path folder = Path.of(System.getProperty("sennit.bench.target", "bench/target"));
    Path log = folder.resolve("context.log");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(log), false, StandardCharsets.UTF_8)) {
      ContextCost cost = new ContextCost(options.isEmpty() ? Pace.FULL : Pace.QUICK, out);
      cost.run();
      cost.writeJson(folder.resolve("context.json"));
      new CostTable(Measurement.of(cost.results)).lines().forEach(System.out::println);
      System.out.println();
      System.out.println(conditions(cost.pace));
    } catch (RunnerException e) {
      System.err.println("a benchmark failed: " + e.getMessage() + "; see " + log);
      System.exit(1);
    }
  }

  private void run() throws RunnerException {
    for (int round = 1; round <= pace.rounds; round++) {
      progress("round " + round + " of " + pace.rounds);
      for (String operation : List.of("set", "clear", "setAndClear")) {
        run("(Context|Datadog)Benchmark." + operation, 1, MODES);
        run("(Context|Datadog)Benchmark." + operation, 2, MODES_OF_TWO_THREADS);
      }
      run("ContextBenchmark.get", 1, MODES);
      run("ContextBenchmark.get", 2, MODES_OF_TWO_THREADS);
      run("ByTidBenchmark.getByTid", 1, "otel");
      run("ByTidBenchmark.getByTid", 2, "otel");
      run("VirtualThreadBenchmark.setOnVirtualThread", 1, MODES);
      run("OutsideReadBenchmark.*", 1, "otel", "otep");
    }
  }

  private void run(String benchmark, int threads, String... modes) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include(ContextCost.class.getPackageName() + "\\." + benchmark + "$")
            .param("mode", modes)
            .threads(threads)
            .forks(1)
            .warmupIterations(pace.warmups)
            .warmupTime(pace.iteration)
            .measurementIterations(pace.iterations)
            .measurementTime(pace.iteration)
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuTimeProfiler.class)
            .shouldFailOnError(true)
            .build();
    results.addAll(new Runner(options, log).run());
  }

  private void writeJson(Path file) throws IOException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
  }

  private static String conditions(Pace pace) {
    return String.format(
        Locale.ROOT,
        "Medians of %d rounds on JDK %s, %d processors, load average %.1f at the end.",
        pace.rounds,
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static void progress(String message) {
    if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
      System.err.println(message);
    }
  }
}
