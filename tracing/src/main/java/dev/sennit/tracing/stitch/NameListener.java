/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

/** Hears what traces are called in the end, for all that has their ids beside the spans. */
@FunctionalInterface
public interface NameListener {
  /**
   * The name of a trace is decided. Most keep the one that they have.
   *
   * @param high the first eight bytes of the id that its spans came with
   * @param low the last eight bytes of that
   * @param newHigh the first eight bytes of the id that they go out with
   * @param newLow the last eight bytes of that
   */
  void named(long high, long low, long newHigh, long newLow);
}
