/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

/** Times as they come from strangers, in the range that the database has. */
final class Times {
  /** The year 2200: a time after it is somebody's mistake, and sums with it still fit. */
  private static final long LATEST = 7_258_118_400_000_000_000L;

  /** Some 60 years. */
  private static final long LONGEST = Long.MAX_VALUE - LATEST - 1;

  private Times() {}

  /** Of an unsigned number of nanoseconds. */
  static long at(long nanos) {
    return nanos < 0 ? LATEST : Math.min(nanos, LATEST);
  }

  /** From a start to an end; none where the end is before the start, as with clocks that differ. */
  static long between(long start, long end) {
    return Math.clamp(at(end) - at(start), 0, LONGEST);
  }

  /** Of an unsigned number of nanoseconds. */
  static long length(long nanos) {
    return nanos < 0 ? LONGEST : Math.min(nanos, LONGEST);
  }
}
