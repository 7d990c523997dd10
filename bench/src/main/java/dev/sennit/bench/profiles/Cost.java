/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

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
 * What an operation costs.
 *
 * @param benchmark its class, without the package, and its method
 * @param parameters by name
 * @param cpu nanoseconds of CPU time, the collector's included
 * @param wall nanoseconds by the clock
 * @param bytes allocated
 */
record Cost(
    String benchmark, Map<String, String> parameters, Samples cpu, Samples wall, Samples bytes) {
  /** What was measured in all rounds, in the order in which it was first measured. */
  static List<Cost> of(Collection<RunResult> results) {
    record Subject(String benchmark, Map<String, String> parameters) {}
    Map<Subject, List<BenchmarkResult>> forks = new LinkedHashMap<>();
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      Map<String, String> parameters = new LinkedHashMap<>();
      params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
      String name = params.getBenchmark().substring(Cost.class.getPackageName().length() + 1);
      forks
          .computeIfAbsent(new Subject(name, parameters), subject -> new ArrayList<>())
          .addAll(result.getBenchmarkResults());
    }
    List<Cost> costs = new ArrayList<>();
    forks.forEach(
        (subject, measured) ->
            costs.add(
                new Cost(
                    subject.benchmark,
                    subject.parameters,
                    Samples.ofSecondary(measured, CpuTimeProfiler.NAME),
                    Samples.ofWallTime(measured),
                    Samples.ofSecondary(measured, "gc.alloc.rate.norm"))));
    return costs;
  }

  /** The cost of each part, if an operation is so many. */
  Cost each(int parts) {
    return new Cost(
        benchmark, parameters, cpu.dividedBy(parts), wall.dividedBy(parts), bytes.dividedBy(parts));
  }
}
