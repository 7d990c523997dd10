/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/**
 * Open addressing with linear probing from hashes to entry indices; the entries themselves, and
 * when two are equal, are a table's business. A slot is one long, so that a probe is one load:
 *
 * <pre>
 *   63 ......... 32 31 ......... 0
 *   hash            entry index, 0 = the slot is free
 * </pre>
 *
 * <p>A table looks for its entry with {@link #first}, {@link #entryAt} and {@link #next}, and puts
 * a new one into the free slot where the search ended.
 */
final class HashIndex {
  private static final int INITIAL_SLOTS = 64;
  private static final int MAX_SLOTS = 1 << 30;

  private long[] slots = new long[INITIAL_SLOTS];
  private int mask = INITIAL_SLOTS - 1;

  /** One more than the highest index given out; index 0 is never in the slots. */
  private int size = 1;

  /** Spreads a hash whose low bits may be poor. */
  static int spread(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) ^ (int) mixed;
  }

  static long mix(long hash, long value) {
    return (hash ^ value) * 0xBF58476D1CE4E5B9L + (hash >>> 29);
  }

  int size() {
    return size;
  }

  int first(int hash) {
    return hash & mask;
  }

  int next(int slot) {
    return slot + 1 & mask;
  }

  /** The entry in the slot if its hash is that one; 0 if the slot is free, -1 if it is another. */
  int entryAt(int slot, int hash) {
    long content = slots[slot];
    if (content == 0) {
      return 0;
    }
    return (int) (content >>> 32) == hash ? (int) content : -1;
  }

  /** Gives the next index to an entry that belongs into this free slot. */
  int insert(int slot, int hash) {
    int entry = size++;
    slots[slot] = (long) hash << 32 | entry;
    // Half full at most: a miss then ends after 2.5 probes on average.
    if (size > slots.length / 2) {
      grow();
    }
    return entry;
  }

  void reset() {
    Arrays.fill(slots, 0);
    size = 1;
  }

  private void grow() {
    if (slots.length == MAX_SLOTS) {
      throw new IllegalStateException("a table cannot hold more than " + size + " entries");
    }
    long[] old = slots;
    slots = new long[old.length * 2];
    mask = slots.length - 1;
    for (long content : old) {
      if (content != 0) {
        int slot = (int) (content >>> 32) & mask;
        while (slots[slot] != 0) {
          slot = slot + 1 & mask;
        }
        slots[slot] = content;
      }
    }
  }
}
