/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import java.util.List;

/** What came of reading the thread records of a process. */
public sealed interface ThreadReading {
  /**
   * The threads that were in a span, by tid.
   *
   * @param unsettled threads whose record was being written at every attempt, or could not be
   *     stopped; they are not in {@code threads}
   */
  record Threads(List<ThreadRecord> threads, int unsettled) implements ThreadReading {
    public Threads {
      threads = List.copyOf(threads);
    }
  }

  /** The threads cannot be read from outside; {@code reason} says why, for people. */
  record Unavailable(String reason) implements ThreadReading {}

  /**
   * The process publishes thread records that break the format; {@code reason} names the field and
   * its value.
   */
  record Malformed(String reason) implements ThreadReading {}
}
