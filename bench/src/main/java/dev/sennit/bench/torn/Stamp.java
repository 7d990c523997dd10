/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

/**
 * Ids that are all made from the number of a write, which also says which slot it went to. Each is
 * the number times an odd constant, so no two writes have an id in common, and ids of two writes
 * never pass for those of one.
 */
final class Stamp {
  private static final long HIGH = 0x9E3779B97F4A7C15L;
  private static final long LOW = 0xC2B2AE3D27D4EB4FL;
  private static final long SPAN = 0xD6E8FEB86659FD93L;

  private static final long INVERSE_OF_HIGH = inverse(HIGH);

  private Stamp() {}

  static long traceIdHigh(long number) {
    return number * HIGH;
  }

  static long traceIdLow(long number) {
    return number * LOW;
  }

  static long spanId(long number) {
    return number * SPAN;
  }

  static int flags(long number) {
    return (int) (number / HammeredRing.SLOTS) & 0xFF;
  }

  /** The write that an upper half of a trace id comes from. */
  static long number(long traceIdHigh) {
    return traceIdHigh * INVERSE_OF_HIGH;
  }

  /** Whether all of it was written by one write, and to this slot. */
  static boolean isWhole(int slot, long traceIdHigh, long traceIdLow, long spanId, int flags) {
    return isWhole(slot, traceIdHigh, traceIdLow, spanId) && flags == flags(number(traceIdHigh));
  }

  /** The same for a reader that knows nothing of flags. */
  static boolean isWhole(int slot, long traceIdHigh, long traceIdLow, long spanId) {
    long number = number(traceIdHigh);
    return number % HammeredRing.SLOTS == slot
        && traceIdLow == traceIdLow(number)
        && spanId == spanId(number);
  }

  /** The number that an odd number makes 1 of, modulo 2^64: each step doubles the correct bits. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
