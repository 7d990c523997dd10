/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.concurrent.ThreadLocalRandom;

/**
 * 128 bits that stand for the bytes of a stack trace: two hashes side by side, with starts and
 * multipliers that are chosen anew in every JVM. Two that are equal stand for the same bytes, but
 * for chance: one in 10<sup>24</sup> recordings with a million stacks.
 */
final class Fingerprint {
  private static final long KEY = ThreadLocalRandom.current().nextLong();

  /** What {@link #first} and {@link #second} begin with. */
  static final long FIRST_START = spread(KEY + 1);

  static final long SECOND_START = spread(KEY + 3);

  private static final long FIRST_MULTIPLIER = spread(KEY + 2) | 1;
  private static final long SECOND_MULTIPLIER = spread(KEY + 4) | 1;

  private long first;
  private long second;

  long high() {
    return spread(first ^ Long.rotateLeft(second, 32));
  }

  long low() {
    return spread(second) + first;
  }

  void add(long word) {
    set(first(first, word), second(second, word));
  }

  /** Takes what a loop has made with {@link #first} and {@link #second} of its words. */
  void set(long ofFirst, long ofSecond) {
    first = ofFirst;
    second = ofSecond;
  }

  static long first(long hash, long word) {
    return Long.rotateLeft((hash ^ word) * FIRST_MULTIPLIER, 29);
  }

  static long second(long hash, long word) {
    return Long.rotateLeft((hash + word) * SECOND_MULTIPLIER, 31);
  }

  /** The finish of SplitMix64: every bit of the result depends on every bit of the value. */
  private static long spread(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
