/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;

/**
 * Where the constants of a type are: from their number to their position in the chunk, by open
 * addressing in one array of pairs.
 */
final class PoolIndex {
  /** The header of the chunk is there, never a constant. */
  static final long ABSENT = 0;

  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;
  private static final int SMALLEST = 16;

  private static final long[] NONE = {};

  private long[] table = new long[2 * SMALLEST];

  /** High and low half by slot, where constants have fingerprints. */
  private long[] fingerprints = NONE;

  private int shift = Long.SIZE - Integer.numberOfTrailingZeros(SMALLEST);
  private int size;

  int size() {
    return size;
  }

  /** Forgets all constants and keeps the arrays. */
  void reset() {
    Arrays.fill(table, 0);
    Arrays.fill(fingerprints, 0);
    size = 0;
  }

  /** The position of constant {@code id}, or {@link #ABSENT}. */
  long position(long id) {
    return table[slot(table, shift, id) + 1];
  }

  /** The slot of constant {@code id}, or -1; it is the same while nothing is put. */
  int slotOf(long id) {
    int slot = slot(table, shift, id);
    return table[slot + 1] == ABSENT ? -1 : slot >>> 1;
  }

  /** All slots are below this. */
  int slots() {
    return table.length >>> 1;
  }

  long positionAt(int slot) {
    return table[2 * slot + 1];
  }

  /** 0 in both halves if there is none. */
  long fingerprintHigh(int slot) {
    return fingerprints.length == 0 ? 0 : fingerprints[2 * slot];
  }

  long fingerprintLow(int slot) {
    return fingerprints.length == 0 ? 0 : fingerprints[2 * slot + 1];
  }

  /** Makes room for as many more constants, so that it need not grow step by step. */
  void reserve(int count) {
    int length = table.length;
    while (2L * (size + (long) count) > length >>> 1 && length < 1 << 28) {
      length *= 2;
    }
    if (length > table.length) {
      grow(length);
    }
  }

  void put(long id, long position, Fingerprint fingerprint) {
    put(id, position);
    if (fingerprints.length == 0) {
      fingerprints = new long[table.length];
    }
    int slot = slot(table, shift, id);
    fingerprints[slot] = fingerprint.high();
    fingerprints[slot + 1] = fingerprint.low();
  }

  /** A position given before for the same number is replaced, and its fingerprint is gone. */
  void put(long id, long position) {
    int slot = slot(table, shift, id);
    if (table[slot + 1] == ABSENT) {
      if (2 * ++size > table.length / 2) {
        grow(2 * table.length);
        slot = slot(table, shift, id);
      }
      table[slot] = id;
    }
    table[slot + 1] = position;
    if (fingerprints.length > 0) {
      fingerprints[slot] = 0;
      fingerprints[slot + 1] = 0;
    }
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

  private void grow(int length) {
    long[] old = table;
    long[] bigger = new long[length];
    long[] moved = fingerprints.length == 0 ? NONE : new long[length];
    shift = Long.SIZE + 1 - Integer.numberOfTrailingZeros(length);
    for (int i = 0; size > 0 && i < old.length; i += 2) {
      if (old[i + 1] != ABSENT) {
        int slot = slot(bigger, shift, old[i]);
        bigger[slot] = old[i];
        bigger[slot + 1] = old[i + 1];
        if (moved.length > 0) {
          moved[slot] = fingerprints[i];
          moved[slot + 1] = fingerprints[i + 1];
        }
      }
    }
    table = bigger;
    fingerprints = moved;
  }
}
