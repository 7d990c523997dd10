/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
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
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in rounds. In a round every subject is measured in one short fork after the
 * other, so that whatever else the machine does meets all of them alike. What JMH prints goes to a
 * log.
 */
public final class Rounds implements AutoCloseable {
  private final Pace pace;
  private final PrintStream out;
  private final OutputFormat log;
  private final List<RunResult> results = new ArrayList<>();

  /** How long everything takes. */
  public record Pace(int rounds, int warmups, int iterations, TimeValue iteration) {}

  /** What is measured in a round. */
  public interface Round {
    void run() throws RunnerException;
  }

  public Rounds(Pace pace, Path log) throws IOException {
    this.pace = pace;
    this.out = new PrintStream(Files.newOutputStream(log), false, StandardCharsets.UTF_8);
    this.log = OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL);
  }

  /** The pace that the arguments of a program ask for; ends it with status 2 if it is none. */
  public static Pace pace(Pace full, Pace quick, String... arguments) {
    List<String> options = List.of(arguments);
    if (!options.isEmpty() && !options.equals(List.of("--quick"))) {
      System.err.println("unknown option " + String.join(" ", options) + "; there is --quick");
      System.exit(2);
    }
    return options.isEmpty() ? full : quick;
  }

  /** Where logs and results go. */
  public static Path folder() {
    return Path.of(System.getProperty("sennit.bench.target", "bench/target"));
  }

  public void repeat(Round round) throws RunnerException {
    for (int i = 1; i <= pace.rounds; i++) {
      if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
        System.err.println("round " + i + " of " + pace.rounds);
      }
      round.run();
    }
  }

  /** Options that name benchmarks by a regular expression, in a class's package. */
  public static ChainedOptionsBuilder include(Class<?> neighbour, String benchmarks) {
    return new OptionsBuilder()
        .include(neighbour.getPackageName() + "\\." + benchmarks + "$")
        .addProfiler(GCProfiler.class)
        .addProfiler(CpuTimeProfiler.class)
        .shouldFailOnError(true);
  }

  /** Measures each benchmark that the options name in one fork. */
  public void run(ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> measured =
        new Runner(
                options
                    .forks(1)
                    .warmupIterations(pace.warmups)
                    .warmupTime(pace.iteration)
                    .measurementIterations(pace.iterations)
                    .measurementTime(pace.iteration)
                    .build(),
                log)
            .run();
    results.addAll(measured);
  }

  public void log(String line) {
    log.println(line);
  }

  public List<RunResult> results() {
    return results;
  }

  public void writeJson(Path file) throws IOException {
    try (PrintStream json =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(results);
    }
  }

  /** The sentence below a table. */
  public String conditions() {
    return String.format(
        Locale.ROOT,
        "Medians of %d rounds on JDK %s, %d processors, load average %.1f at the end.",
        pace.rounds,
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  @Override
  public void close() {
    out.close();
  }
}
