/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.bench.CpuTimeProfiler;
import dev.sennit.bench.Samples;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What one operation of a subject costs.
 *
 * @param cpu nanoseconds of CPU time
 * @param wall nanoseconds by the clock
 * @param bytes allocated
 */
record Measurement(Subject subject, Samples cpu, Samples wall, Samples bytes) {
  private static final String BYTES = "gc.alloc.rate.norm";

  /**
   * Sums up what JMH measured in all rounds, in the order in which subjects were first measured. A
   * fork counts as the median of its iterations.
   */
  static List<Measurement> of(Collection<RunResult> results) {
    Map<Subject, List<BenchmarkResult>> forks = new LinkedHashMap<>();
    for (RunResult result : results) {
      forks
          .computeIfAbsent(subject(result.getParams()), subject -> new ArrayList<>())
          .addAll(result.getBenchmarkResults());
    }
    List<Measurement> measurements = new ArrayList<>();
    forks.forEach(
        (subject, measured) ->
            measurements.add(
                new Measurement(
                    subject,
                    Samples.ofSecondary(measured, CpuTimeProfiler.NAME),
                    Samples.ofWallTime(measured),
                    Samples.ofSecondary(measured, BYTES))));
    return measurements;
  }

  private static Subject subject(BenchmarkParams params) {
    String benchmark = params.getBenchmark();
    boolean isPeer = benchmark.startsWith(DatadogBenchmark.class.getName());
    String operation = benchmark.substring(benchmark.lastIndexOf('.') + 1);
    return new Subject(
        isPeer, operation, params.getParam(isPeer ? "profiler" : "mode"), params.getThreads());
  }
}
