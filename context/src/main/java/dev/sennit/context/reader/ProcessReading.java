/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.ProcessContext;

/** What came of reading the process record of a pid. */
public sealed interface ProcessReading {
  /**
   * The record was read, and did not change meanwhile.
   *
   * @param version of the header's format
   * @param publishedAtNs the publisher's timestamp (CLOCK_BOOTTIME, or the epoch in the draft);
   *     usable as a cache key
   */
  record Published(int version, long publishedAtNs, ProcessContext context)
      implements ProcessReading {}

  /** The process runs and publishes nothing. */
  record NotPublished() implements ProcessReading {}

  /**
   * The process publishes something that breaks the format; {@code reason} names the field and its
   * value.
   */
  record Malformed(String reason) implements ProcessReading {}

  /**
   * The record could not be read: no such process, no permission, or it changed at every attempt.
   */
  record Unreadable(String reason) implements ProcessReading {}
}
