/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

/** Numbers, each once, at 8 to 16 bytes a number; open addressing, grown at half full. */
final class LongSet {
  private long[] slots;
  private int size;
  private boolean hasZero;

  LongSet(int expected) {
    slots = new long[Math.max(16, Integer.highestOneBit(Math.max(1, expected)) * 4)];
  }

  /** Whether it was not there before. */
  boolean add(long value) {
    if (value == 0) {
      boolean fresh = !hasZero;
      hasZero = true;
      return fresh;
    }
    if (!put(slots, value)) {
      return false;
    }
    if (++size > slots.length / 2) {
      grow();
    }
    return true;
  }

  boolean contains(long value) {
    return value == 0 ? hasZero : slots[find(slots, value)] == value;
  }

  int size() {
    return size + (hasZero ? 1 : 0);
  }

  private void grow() {
    long[] larger = new long[slots.length * 2];
    for (long value : slots) {
      if (value != 0) {
        put(larger, value);
      }
    }
    slots = larger;
  }

  private static boolean put(long[] slots, long value) {
    int index = find(slots, value);
    boolean fresh = slots[index] == 0;
    slots[index] = value;
    return fresh;
  }

  /** Where the value is, or the free place where it would be. */
  private static int find(long[] slots, long value) {
    int mask = slots.length - 1;
    // The values are hashes already, of which all bits are as good.
    int index = (int) (value ^ value >>> 32) & mask;
    while (slots[index] != 0 && slots[index] != value) {
      index = (index + 1) & mask;
    }
    return index;
  }
}
