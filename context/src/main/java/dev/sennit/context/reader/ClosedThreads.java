/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.ProcessContext;

/** The threads of a process that keeps its contexts to itself. */
final class ClosedThreads implements ThreadSource {
  private final ThreadReading reading;

  ClosedThreads(int pid) {
    this.reading =
        new ThreadReading.Unavailable(
            "process %d keeps its thread contexts in profiler mode, which cannot be read from outside; start it with ctxstorage=otel or otep"
                .formatted(pid));
  }

  @Override
  public ThreadReading read() {
    return reading;
  }

  @Override
  public ThreadReading read(int[] tids) {
    return reading;
  }

  @Override
  public void update(ProcessContext context) {}

  @Override
  public boolean stopsThreads() {
    return false;
  }

  @Override
  public void close() {}
}
