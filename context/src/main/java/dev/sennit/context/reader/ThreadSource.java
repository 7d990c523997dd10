/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.ProcessContext;

/** One way of reading the threads of a process. For one thread at a time. */
interface ThreadSource extends AutoCloseable {
  /** Reads all threads that are in a span. */
  ThreadReading read();

  /** Reads those of {@code tids}, numbered as in this PID namespace, that are in a span. */
  ThreadReading read(int[] tids);

  /** Takes note of what the process publishes now. */
  void update(ProcessContext context);

  /** Whether a read stops each thread for some microseconds. */
  boolean stopsThreads();

  @Override
  void close();
}
