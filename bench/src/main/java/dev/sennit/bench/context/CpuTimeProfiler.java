/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the CPU time of an operation. On a machine that does other things too, the time on the
 * wall is that of whoever else was running; the CPU time is what the operation costs.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  static final String NAME = "cpu.time.norm";

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long before;

  @Override
  public String getDescription() {
    return "CPU time of an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = cpuTimeOfJavaThreads();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double spent = cpuTimeOfJavaThreads() - before;
    double each = spent / result.getMetadata().getAllOps();
    return List.of(new ScalarResult(NAME, each, "ns/op", AggregationPolicy.AVG));
  }

  /** Compilers and collectors are no Java threads; carriers of virtual threads are. */
  private static long cpuTimeOfJavaThreads() {
    long sum = 0;
    for (long thread : THREADS.getAllThreadIds()) {
      sum += Math.max(0, THREADS.getThreadCpuTime(thread));
    }
    return sum;
  }
}
