/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

/** The call stacks of a dictionary, leaf first; 0 is none. Not safe for use by several threads. */
public final class StackTable {
  private final IntLists lists = new IntLists();

  /** The hash that {@link #intern(int[], int, int, int)} wants. */
  public static int hash(int[] locations, int offset, int length) {
    return IntLists.hash(locations, offset, length);
  }

  /** The index of the stack, added (copied) now if it is new; no locations are 0. */
  public int intern(int[] locations, int offset, int length) {
    return lists.intern(locations, offset, length, IntLists.hash(locations, offset, length));
  }

  /** As above, with the hash that {@link #hash} gives, for whoever has it already. */
  public int intern(int[] locations, int offset, int length, int hash) {
    return lists.intern(locations, offset, length, hash);
  }

  public int length(int entry) {
    return lists.length(entry);
  }

  /** The k-th location of a stack, the leaf being 0. */
  public int location(int entry, int k) {
    return lists.get(entry, k);
  }

  /** Copies the locations of a stack to the start of {@code target}, or of a longer array. */
  public int[] locations(int entry, int[] target) {
    return lists.copy(entry, target);
  }

  public int size() {
    return lists.size();
  }

  public void reset() {
    lists.reset();
  }
}
