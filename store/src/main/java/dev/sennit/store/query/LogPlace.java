/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/** Where in the lines to begin, and in which direction to go on. */
public sealed interface LogPlace {
  /** From the newest line back. */
  LogPlace NEWEST = new End(false);

  /** From the oldest line on. */
  LogPlace OLDEST = new End(true);

  /** At one end of the lines, in the order of their times. */
  record End(boolean oldest) implements LogPlace {}

  /** Before the line of a number in the order of their times, from there back. */
  record OlderThan(long seq) implements LogPlace {}

  /** After the line of a number in the order of their times, from there on. */
  record NewerThan(long seq) implements LogPlace {}

  /** Stored after one number and up to another, from the last back. */
  record Stored(long after, long upTo) implements LogPlace {}
}
