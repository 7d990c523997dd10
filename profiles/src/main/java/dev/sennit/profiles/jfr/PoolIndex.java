/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

/**
 * Where the constants of a type are: from their number to their position in the chunk, by open
 * addressing in one array of pairs.
 */
final class PoolIndex {
  /** The header of the chunk is there, never a constant. */
  static final long ABSENT = 0;

  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;
  private static final int SMALLEST = 16;

  private long[] table = new long[2 * SMALLEST];
  private int shift = Long.SIZE - Integer.numberOfTrailingZeros(SMALLEST);
  private int size;

  int size() {
    return size;
  }

  /** The position of constant {@code id}, or {@link #ABSENT}. */
  long position(long id) {
    return table[slot(table, shift, id) + 1];
  }

  /** A position given before for the same number is replaced. */
  void put(long id, long position) {
    int slot = slot(table, shift, id);
    if (table[slot + 1] == ABSENT) {
      if (2 * ++size > table.length / 2) {
        grow();
        slot = slot(table, shift, id);
      }
      table[slot] = id;
    }
    table[slot + 1] = position;
  }

  /** The numbers of all constants, in no order. */
  long[] ids() {
    long[] ids = new long[size];
    int next = 0;
    for (int i = 0; i < table.length; i += 2) {
      if (table[i + 1] != ABSENT) {
        ids[next++] = table[i];
      }
    }
    return ids;
  }

  private static int slot(long[] table, int shift, long id) {
    int mask = table.length - 1;
    int slot = (int) ((id * SPREAD) >>> shift) << 1;
    while (table[slot + 1] != ABSENT && table[slot] != id) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = table;
    long[] bigger = new long[2 * old.length];
    shift--;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != ABSENT) {
        int slot = slot(bigger, shift, old[i]);
        bigger[slot] = old[i];
        bigger[slot + 1] = old[i + 1];
      }
    }
    table = bigger;
  }
}
