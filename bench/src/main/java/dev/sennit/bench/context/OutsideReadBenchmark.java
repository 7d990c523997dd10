/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecordReader;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Contexts of another process that has a thousand threads in spans. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OutsideReadBenchmark {
  /** Those that can be read from outside. */
  @Param({"otel", "otep"})
  String mode = "";

  private @Nullable SpanProcess process;
  private @Nullable ThreadRecordReader reader;
  private int tid;

  @Setup
  public void start() {
    SpanProcess started = SpanProcess.start(mode);
    process = started;
    tid = started.tid();
    if (!(new ProcessContextReader().read(started.pid())
        instanceof ProcessReading.Published published)) {
      throw new IllegalStateException("process " + started.pid() + " publishes nothing");
    }
    reader = ThreadRecordReader.open(started.pid(), published.context());
    check(readThread(), 1);
    check(readThousandThreads(), SpanProcess.THREADS);
  }

  private static void check(ThreadReading reading, int wanted) {
    if (!(reading instanceof ThreadReading.Threads threads) || threads.threads().size() != wanted) {
      throw new IllegalStateException("expected " + wanted + " threads in spans, read " + reading);
    }
  }

  @TearDown
  public void stop() {
    Objects.requireNonNull(reader).close();
    Objects.requireNonNull(process).close();
  }

  @Benchmark
  public ThreadReading readThread() {
    return Objects.requireNonNull(reader).read(tid);
  }

  @Benchmark
  public ThreadReading readThousandThreads() {
    return Objects.requireNonNull(reader).read();
  }
}
