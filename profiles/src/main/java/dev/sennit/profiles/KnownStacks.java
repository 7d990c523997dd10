/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which stack the bytes of a stack trace stand for. A recorder writes a stack that it sees all the
 * time into every chunk, and mostly with the same bytes; so most stack traces of a recording need
 * not be decoded, only hashed.
 *
 * <p>Equal bytes mean the same stack as long as the numbers in them do: chunks belong to one
 * generation while none of their methods has another name than in the chunks before. The bytes
 * themselves are not kept, they are known by their {@linkplain
 * dev.sennit.profiles.jfr.StackTraces#fingerprintHigh fingerprints}.
 *
 * <p>Safe for use by several threads.
 */
final class KnownStacks {
  /** No stack has this number: the complement of a stack is that of a truncated one. */
  static final int UNKNOWN = Integer.MIN_VALUE;

  private static final int STRIPE_BITS = 4;

  private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];
  private Map<Long, Integer> methods = new HashMap<>();
  private Map<Long, Integer> frameTypes = new HashMap<>();
  private int generation;

  KnownStacks() {
    Arrays.setAll(stripes, i -> new Stripe());
  }

  /**
   * The generation of a chunk.
   *
   * @param chunkMethods the function of each of its methods
   * @param chunkFrameTypes the attribute set of each of its types of frames
   */
  synchronized int join(Map<Long, Integer> chunkMethods, Map<Long, Integer> chunkFrameTypes) {
    if (!agree(methods, chunkMethods) || !agree(frameTypes, chunkFrameTypes)) {
      methods = new HashMap<>();
      frameTypes = new HashMap<>();
      generation++;
    }
    methods.putAll(chunkMethods);
    frameTypes.putAll(chunkFrameTypes);
    return generation;
  }

  private static boolean agree(Map<Long, Integer> before, Map<Long, Integer> now) {
    for (Map.Entry<Long, Integer> entry : now.entrySet()) {
      Integer known = before.get(entry.getKey());
      if (known != null && !known.equals(entry.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** The stack of a fingerprint; {@link #UNKNOWN} also for none, which is 0 in both halves. */
  int get(int ofGeneration, long high, long low) {
    return (high | low) == 0 ? UNKNOWN : stripe(high).get(high, low ^ ofGeneration);
  }

  void put(int ofGeneration, long high, long low, int stack) {
    if ((high | low) != 0) {
      stripe(high).put(high, low ^ ofGeneration, stack);
    }
  }

  private Stripe stripe(long high) {
    return stripes[(int) (high >>> (Long.SIZE - STRIPE_BITS))];
  }

  /** Open addressing, at most half full. */
  private static final class Stripe {
    private long[] hashes = new long[2 << 8];
    private int[] stacks = new int[1 << 8];
    private int size;

    Stripe() {
      Arrays.fill(stacks, UNKNOWN);
    }

    synchronized int get(long high, long low) {
      return stacks[slot(hashes, stacks, high, low)];
    }

    synchronized void put(long high, long low, int stack) {
      int slot = slot(hashes, stacks, high, low);
      if (stacks[slot] != UNKNOWN) {
        return;
      }
      hashes[2 * slot] = high;
      hashes[2 * slot + 1] = low;
      stacks[slot] = stack;
      if (2 * ++size > stacks.length) {
        grow();
      }
    }

    private void grow() {
      long[] biggerHashes = new long[2 * hashes.length];
      int[] biggerStacks = new int[2 * stacks.length];
      Arrays.fill(biggerStacks, UNKNOWN);
      for (int i = 0; i < stacks.length; i++) {
        if (stacks[i] != UNKNOWN) {
          int slot = slot(biggerHashes, biggerStacks, hashes[2 * i], hashes[2 * i + 1]);
          biggerHashes[2 * slot] = hashes[2 * i];
          biggerHashes[2 * slot + 1] = hashes[2 * i + 1];
          biggerStacks[slot] = stacks[i];
        }
      }
      hashes = biggerHashes;
      stacks = biggerStacks;
    }

    private static int slot(long[] hashes, int[] stacks, long high, long low) {
      int mask = stacks.length - 1;
      int slot = (int) low & mask;
      while (stacks[slot] != UNKNOWN && (hashes[2 * slot] != high || hashes[2 * slot + 1] != low)) {
        slot = slot + 1 & mask;
      }
      return slot;
    }
  }
}
