/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Datadog's java-profiler, doing what {@link ContextBenchmark} does. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DatadogBenchmark {
  /** Whether its profiler samples meanwhile. */
  @Param({"running", "off"})
  String profiler = "";

  @Setup
  public void start() throws Throwable {
    if (profiler.equals("running")) {
      DatadogProfiler.start();
    }
  }

  @TearDown
  public void stop() throws Throwable {
    if (profiler.equals("running")) {
      DatadogProfiler.stop();
    }
  }

  @Benchmark
  public void set(Ids ids) throws Throwable {
    set(ids.traceIdHigh, ids.traceIdLow, ids.spanId);
  }

  @Benchmark
  public void clear() throws Throwable {
    DatadogProfiler.CLEAR_TRACE_CONTEXT.invokeExact();
  }

  @Benchmark
  public void setAndClear(Ids ids) throws Throwable {
    set(ids.traceIdHigh, ids.traceIdLow, ids.spanId);
    DatadogProfiler.CLEAR_TRACE_CONTEXT.invokeExact();
  }

  private static void set(long traceIdHigh, long traceIdLow, long spanId) throws Throwable {
    DatadogProfiler.SET_TRACE_CONTEXT.invokeExact(
        traceIdLow,
        spanId,
        traceIdHigh,
        traceIdLow,
        DatadogProfiler.NO_SLOT,
        (CharSequence) null,
        DatadogProfiler.NO_SLOT,
        (CharSequence) null);
  }
}
