/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/** A thread's own context in each mode. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContextBenchmark {
  @Param({"profiler", "otel", "otep"})
  String mode = "";

  private final RingPlacement placement = new RingPlacement();
  private CyclicBarrier everybody = new CyclicBarrier(1);

  /** One of the threads that do the same at the same time. */
  @State(Scope.Thread)
  public static class Worker {
    final ContextSnapshot snapshot = new ContextSnapshot();

    /** Contexts start when it is known which threads there are. */
    @Setup
    public void enlist(ContextBenchmark contexts, Ids ids)
        throws BrokenBarrierException, InterruptedException {
      contexts.placement.add(OsThread.id());
      contexts.everybody.await();
      ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
    }
  }

  @Setup
  public void prepare(BenchmarkParams params) {
    everybody =
        new CyclicBarrier(
            params.getThreads(), () -> ContextApi.initialize(placement.options(mode)));
  }

  @TearDown
  public void stop() {
    ContextApi.shutdown();
  }

  @Benchmark
  public void set(Worker worker, Ids ids) {
    ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
  }

  /** Of a thread that has no context any more: what a second end of a span costs. */
  @Benchmark
  public void clear(Worker worker) {
    ContextApi.clear();
  }

  @Benchmark
  public void setAndClear(Worker worker, Ids ids) {
    ContextApi.setOtel(ids.traceIdHigh, ids.traceIdLow, ids.spanId, ids.flags);
    ContextApi.clear();
  }

  @Benchmark
  public boolean get(Worker worker) {
    return ContextApi.get(worker.snapshot);
  }
}
