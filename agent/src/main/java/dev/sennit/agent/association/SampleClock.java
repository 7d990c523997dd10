/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

/**
 * What a sampling engine knows of its own samples, and the events that it takes: async-profiler's,
 * or a test's.
 */
public interface SampleClock {
  /**
   * Address of the calling OS thread's data, whose first eight bytes change at every sample that is
   * taken on the thread; 0 when there is none. It is valid as long as the thread lives.
   */
  long threadData();

  /** Now, by the clock of the recording. */
  long now();

  /** Says that the calling OS thread's samples from {@code start} to {@code end} are of a span. */
  void emitSpan(long start, long end, String traceparent);

  /** Writes an event of type {@link dev.sennit.profiles.OpenContext#TYPE}. */
  void emitOpenContext(String data);
}
