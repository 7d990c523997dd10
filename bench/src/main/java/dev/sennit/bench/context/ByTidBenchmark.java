/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.util.concurrent.CountDownLatch;
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

/** Another thread's context, read in the same process. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ByTidBenchmark {
  /** The one mode that allows it. */
  @Param("otel")
  String mode = "";

  private final CountDownLatch inSpan = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int tid;

  /** Where a thread reads to. */
  @State(Scope.Thread)
  public static class Reading {
    final ContextSnapshot snapshot = new ContextSnapshot();
  }

  @Setup
  public void start() throws InterruptedException {
    ContextApi.initialize("ctxstorage=" + mode);
    Thread.ofPlatform().daemon().start(this::stayInSpan);
    inSpan.await();
  }

  private void stayInSpan() {
    ContextApi.setOtel(1, 2, 3, 1);
    tid = OsThread.id();
    inSpan.countDown();
    try {
      finished.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @TearDown
  public void stop() {
    finished.countDown();
    ContextApi.shutdown();
  }

  @Benchmark
  public boolean getByTid(Reading reading) {
    return ContextApi.getByTid(tid, reading.snapshot);
  }
}
