/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import org.jspecify.annotations.Nullable;

/**
 * Who knows in which span a thread was, for samples of profiles that do not say it themselves. It
 * is asked by many threads, and once for each such sample, so it must be quick and never throw.
 */
@FunctionalInterface
public interface SampleOwner {
  /** Knows of nothing. */
  SampleOwner NONE = (pid, threadId, timeUnixNanos) -> null;

  /**
   * The span that the thread worked in at that moment; null if that is not certain. It is never
   * asked about a virtual thread, whose carrier works for others as well.
   *
   * @param pid as the resource of the samples has it
   * @param threadId the number that the operating system gave the thread
   */
  @Nullable SpanKey ownerOf(long pid, long threadId, long timeUnixNanos);
}
