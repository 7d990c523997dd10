/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.handoff;

import dev.sennit.context.thread.ContextApi;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Hands tasks over, many at a time, and waits until all have run: what counts is the sum of handing
 * over and running, and not how soon a thread wakes up.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HandOffBenchmark {
  static final int TASKS = 1_000;

  /** Whether the thread that hands over has a context. */
  @Param({"false", "true"})
  public boolean inSpan;

  private final ExecutorService pool = Executors.newSingleThreadExecutor();

  @Setup(Level.Iteration)
  public void begin() {
    if (inSpan) {
      ContextApi.setOtel(1, 2, 3, 1);
    }
  }

  @TearDown(Level.Iteration)
  public void end() {
    ContextApi.clear();
  }

  @TearDown
  public void close() {
    pool.shutdownNow();
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public void execute() throws InterruptedException {
    Batch batch = new Batch();
    for (int i = 0; i < TASKS; i++) {
      pool.execute(new Task(batch));
    }
    batch.done.await();
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public void submit() throws InterruptedException {
    Batch batch = new Batch();
    for (int i = 0; i < TASKS; i++) {
      var _ = pool.submit(new Task(batch));
    }
    batch.done.await();
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public void startVirtualThread() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(TASKS);
    for (int i = 0; i < TASKS; i++) {
      Thread.startVirtualThread(done::countDown);
    }
    done.await();
  }

  /** Counted down by the one thread of the pool alone. */
  private static final class Batch {
    private final CountDownLatch done = new CountDownLatch(1);
    private int left = TASKS;
  }

  private record Task(Batch batch) implements Runnable {
    @Override
    public void run() {
      if (--batch.left == 0) {
        batch.done.countDown();
      }
    }
  }
}
