/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** The write of {@link ContextBenchmark} made on a virtual thread, which looks for its carrier. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-Djmh.executor=VIRTUAL")
public class VirtualThreadBenchmark {
  @Benchmark
  public void setOnVirtualThread(
      ContextBenchmark contexts, ContextBenchmark.Worker worker, Ids ids) {
    contexts.set(worker, ids);
  }
}
