/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench;

import dev.sennit.context.memory.Libc;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the CPU time of an operation, and all of the process's: what runs beside it counts. On a
 * machine that does other things too, the time on the wall is that of whoever else was running; the
 * CPU time is what the operation costs.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  public static final String NAME = "cpu.time.norm";

  /** {@code CLOCK_PROCESS_CPUTIME_ID}; the JDK's own account goes by steps of 10 ms. */
  private static final int PROCESS_CPU_TIME = 2;

  private long before;

  @Override
  public String getDescription() {
    return "CPU time of an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = Libc.clockNanos(PROCESS_CPU_TIME);
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double spent = Libc.clockNanos(PROCESS_CPU_TIME) - before;
    double each = spent / result.getMetadata().getAllOps();
    return List.of(new ScalarResult(NAME, each, "ns/op", AggregationPolicy.AVG));
  }
}
