/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/** Lists of ints, each once, one after the other in a pool; 0 is the empty list. */
final class IntLists {
  private static final int MAX_POOL = Integer.MAX_VALUE - 8;

  private final HashIndex index = new HashIndex();

  /** List i lies in the pool from starts[i] to starts[i + 1]. */
  private int[] starts = new int[32];

  private int[] pool = new int[256];

  static int hash(int[] values, int offset, int length) {
    long hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = HashIndex.mix(hash, values[i]);
    }
    return HashIndex.spread(hash);
  }

  int intern(int[] values, int offset, int length, int hash) {
    if (length == 0) {
      return 0;
    }
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        return add(index.insert(slot, hash), values, offset, length);
      }
      if (entry > 0
          && Arrays.equals(
              pool, starts[entry], starts[entry + 1], values, offset, offset + length)) {
        return entry;
      }
    }
  }

  int length(int entry) {
    return starts[entry + 1] - starts[entry];
  }

  int get(int entry, int position) {
    if (position < 0 || position >= length(entry)) {
      throw new IndexOutOfBoundsException(
          "position " + position + " of list " + entry + ", which has " + length(entry));
    }
    return pool[starts[entry] + position];
  }

  int size() {
    return index.size();
  }

  void reset() {
    index.reset();
  }

  private int add(int entry, int[] values, int offset, int length) {
    int start = starts[entry];
    if (pool.length - start < length) {
      long needed = (long) start + length;
      if (needed > MAX_POOL) {
        throw new IllegalStateException("the pool of lists cannot hold " + needed + " elements");
      }
      // By half, not twofold: this is the largest array of all when stacks are deep.
      pool =
          Arrays.copyOf(
              pool, (int) Math.min(Math.max(pool.length + (pool.length >> 1), needed), MAX_POOL));
    }
    System.arraycopy(values, offset, pool, start, length);
    if (entry + 1 == starts.length) {
      starts = Arrays.copyOf(starts, starts.length * 2);
    }
    starts[entry + 1] = start + length;
    return entry;
  }
}
