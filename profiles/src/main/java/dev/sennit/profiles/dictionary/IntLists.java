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

  /** Four hashes side by side: a single one would wait for its own multiplication at each value. */
  static int hash(int[] values, int offset, int length) {
    long a = length;
    long b = 1;
    long c = 2;
    long d = 3;
    int end = offset + length;
    int i = offset;
    for (; i <= end - 4; i += 4) {
      a = HashIndex.mix(a, values[i]);
      b = HashIndex.mix(b, values[i + 1]);
      c = HashIndex.mix(c, values[i + 2]);
      d = HashIndex.mix(d, values[i + 3]);
    }
    for (; i < end; i++) {
      a = HashIndex.mix(a, values[i]);
    }
    return HashIndex.spread(HashIndex.mix(HashIndex.mix(a, b), HashIndex.mix(c, d)));
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
