/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;

/**
 * How many lines there are of each severity, over time.
 *
 * @param range what is divided into parts; of lines of all times, from the first to the last
 * @param width of one part, in nanoseconds
 * @param parts those in which there are lines, in order
 */
public record LogCounts(TimeRange range, long width, List<Part> parts) {
  public LogCounts {
    parts = List.copyOf(parts);
  }

  /**
   * The lines of a severity in a part of the range.
   *
   * @param start nanoseconds since 1970
   * @param severity the least that is called by the same word: 1, 5, 9, 13, 17 or 21; 0 if none
   */
  public record Part(long start, int severity, long lines) {}
}
