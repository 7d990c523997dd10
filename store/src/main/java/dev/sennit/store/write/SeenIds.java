/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The ids that came last, so that what is sent again is not stored again. Two generations: when the
 * younger is full, the older is forgotten. Ids are kept as hashes under a key that nobody outside
 * knows, so that nobody can choose ids that are taken for others.
 */
final class SeenIds {
  private final int generation;
  private final long key = RandomGenerator.getDefault().nextLong();
  private LongSet younger;
  private LongSet older;

  /**
   * @param generation how many are remembered at least
   */
  SeenIds(int generation) {
    this.generation = generation;
    younger = new LongSet(16);
    older = new LongSet(16);
  }

  /** Whether an id, made of words of 16 hexadecimal digits each, is new. */
  boolean add(String... parts) {
    long hash = key;
    for (String part : parts) {
      for (int i = 0; i < part.length(); i += 16) {
        hash = mixed(hash ^ HexFormat.fromHexDigitsToLong(part, i, i + 16));
      }
    }
    if (older.contains(hash) || !younger.add(hash)) {
      return false;
    }
    if (younger.size() >= generation) {
      older = younger;
      younger = new LongSet(16);
    }
    return true;
  }

  /** The finalizer of SplitMix64: every bit of the input changes half of the output. */
  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
