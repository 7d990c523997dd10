/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.StackTable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Stacks that have been decoded and are not in a dictionary yet. {@linkplain SharedStacks Shared
 * stacks} take them together: one lock for all of them, and loops short enough for the JVM to
 * compile each by itself.
 */
final class PendingStacks {
  private static final int CAPACITY = 256;

  /** Stack i has the frames, then the locations, starts[i] to starts[i + 1]. */
  private int[] locations = new int[64 * CAPACITY];

  private final int[] starts = new int[CAPACITY + 1];
  private final int[] slots = new int[CAPACITY];
  private final int[] complements = new int[CAPACITY];
  private final int[] hashes = new int[CAPACITY];
  private final int[] stacks = new int[CAPACITY];
  private final BitSet vague = new BitSet(CAPACITY);
  private int size;

  boolean isFull() {
    return size == CAPACITY;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Where the frames of the next stack go, from {@link #start} on. */
  int[] room(int depth) {
    int needed = starts[size] + depth;
    if (needed > locations.length) {
      locations = Arrays.copyOf(locations, Math.max(needed, 2 * locations.length));
    }
    return locations;
  }

  int start() {
    return starts[size];
  }

  /**
   * Adds the stack whose frames were put there.
   *
   * @param slot of its stack trace
   * @param complement the bits of its number that are to be inverted
   */
  void add(int slot, int depth, int complement) {
    int start = starts[size];
    slots[size] = slot;
    complements[size] = complement;
    starts[++size] = start + depth;
  }

  /**
   * Turns frames into locations, of which {@code frameLocations} has that of each.
   *
   * @param vagueFrames the frames of which the chunk does not tell everything
   */
  void locate(int[] frameLocations, BitSet vagueFrames) {
    vague.clear();
    if (!vagueFrames.isEmpty()) {
      findVague(vagueFrames);
    }
    for (int i = 0; i < starts[size]; i++) {
      locations[i] = frameLocations[locations[i]];
    }
    for (int i = 0; i < size; i++) {
      hashes[i] = StackTable.hash(locations, starts[i], starts[i + 1] - starts[i]);
    }
  }

  private void findVague(BitSet vagueFrames) {
    for (int i = 0; i < size; i++) {
      for (int frame = starts[i]; frame < starts[i + 1]; frame++) {
        if (vagueFrames.get(locations[frame])) {
          vague.set(i);
        }
      }
    }
  }

  /** Gives all stacks their numbers. */
  void intern(StackTable table) {
    for (int i = 0; i < size; i++) {
      int start = starts[i];
      stacks[i] = table.intern(locations, start, starts[i + 1] - start, hashes[i]) ^ complements[i];
    }
  }

  int slot(int i) {
    return slots[i];
  }

  int stack(int i) {
    return stacks[i];
  }

  /** Whether the chunk does not tell everything of a stack. */
  boolean isVague(int i) {
    return vague.get(i);
  }
}
