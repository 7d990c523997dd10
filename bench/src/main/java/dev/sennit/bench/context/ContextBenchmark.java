/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
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

/** A thread's own context in each mode. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContextBenchmark {
  @Param({"profiler", "otel", "otep"})
  String mode = "";

  /** A thread that has a context, and where it is read to. */
  @State(Scope.Thread)
  public static class Reading {
    final ContextSnapshot snapshot = new ContextSnapshot();

    @Setup
    public void enterSpan(ContextBenchmark started, Ids ids) {
      ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
    }
  }

  @Setup
  public void start() {
    ContextApi.initialize("ctxstorage=" + mode);
  }

  @TearDown
  public void stop() {
    ContextApi.shutdown();
  }

  @Benchmark
  public void set(Ids ids) {
    ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
  }

  /** Of a thread that has no context any more: what a second end of a span costs. */
  @Benchmark
  public void clear() {
    ContextApi.clear();
  }

  @Benchmark
  public void setAndClear(Ids ids) {
    ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
    ContextApi.clear();
  }

  @Benchmark
  public boolean get(Reading reading) {
    return ContextApi.get(reading.snapshot);
  }
}
