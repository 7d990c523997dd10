/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.context.reader.ThreadRecordReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Reads the thread records of another process again and again, as {@code sennit context} does. */
final class OutsideReader implements AutoCloseable {
  private final ThreadRecordReader reader;

  private OutsideReader(ThreadRecordReader reader) {
    this.reader = reader;
  }

  static OutsideReader of(int pid) {
    ProcessContext context =
        ((ProcessReading.Published) new ProcessContextReader().read(pid)).context();
    return new OutsideReader(ThreadRecordReader.open(pid, context));
  }

  /** Reads once per {@code interval} until {@code end} returns; returns what was seen. */
  List<MountLog.Sighting> watch(Duration interval, Runnable end) {
    List<MountLog.Sighting> sightings = new ArrayList<>();
    CompletableFuture<Void> ending = CompletableFuture.runAsync(end);
    while (!ending.isDone()) {
      long begin = System.nanoTime();
      List<ThreadRecord> threads = read();
      long after = System.nanoTime();
      threads.forEach(
          thread ->
              sightings.add(new MountLog.Sighting(thread.spanId(), thread.tid(), begin, after)));
      LockSupport.parkNanos(interval.toNanos());
    }
    ending.join();
    return sightings;
  }

  List<ThreadRecord> read() {
    return ((ThreadReading.Threads) reader.read()).threads();
  }

  @Override
  public void close() {
    reader.close();
  }
}
