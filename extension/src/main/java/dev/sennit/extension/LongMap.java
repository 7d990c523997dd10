/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

/**
 * A bounded map from number to number without boxes, by open addressing with linear probing; 0 is
 * no key. It empties itself rather than to grow beyond its bound. Safe for use by several threads.
 */
final class LongMap {
  private static final int MOST = 1 << 14;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] table = new long[2 * 64];
  private int size;

  synchronized long get(long key) {
    return table[slot(key) + 1];
  }

  synchronized void put(long key, long value) {
    if (key == 0) {
      return;
    }
    int slot = slot(key);
    if (table[slot] == 0) {
      if (size == MOST) {
        table = new long[2 * 64];
        size = 0;
      } else if (4 * (size + 1) > table.length) {
        grow();
      }
      slot = slot(key);
      table[slot] = key;
      size++;
    }
    table[slot + 1] = value;
  }

  synchronized void remove(long key) {
    int hole = slot(key);
    if (table[hole] == 0) {
      return;
    }
    size--;
    int mask = table.length - 1;
    // What stands behind the hole moves up, unless it would stand before its own place.
    for (int at = hole + 2 & mask; table[at] != 0; at = at + 2 & mask) {
      int home = home(table[at]);
      if ((at - home & mask) >= (at - hole & mask)) {
        table[hole] = table[at];
        table[hole + 1] = table[at + 1];
        hole = at;
      }
    }
    table[hole] = 0;
    table[hole + 1] = 0;
  }

  synchronized int size() {
    return size;
  }

  private int home(long key) {
    return ((int) ((key * SPREAD) >>> 32) << 1) & (table.length - 1);
  }

  private int slot(long key) {
    int mask = table.length - 1;
    int slot = home(key);
    while (table[slot] != 0 && table[slot] != key) {
      slot = slot + 2 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0) {
        int slot = slot(old[i]);
        table[slot] = old[i];
        table[slot + 1] = old[i + 1];
      }
    }
  }
}
