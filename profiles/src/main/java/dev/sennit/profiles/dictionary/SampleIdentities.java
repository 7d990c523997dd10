/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/**
 * What makes two samples one: stack, set of attributes, and link. Events refer to an identity by
 * its number, which counts from 0; any combination may occur, also all zero. Not safe for use by
 * several threads.
 */
public final class SampleIdentities {
  private final HashIndex index = new HashIndex();
  private int[] stacks = new int[32];
  private int[] attributeSets = new int[32];
  private int[] links = new int[32];

  /** The number of the identity, added now if it is new. */
  public int intern(int stack, int attributeSet, int link) {
    int hash = HashIndex.spread(HashIndex.mix(HashIndex.mix(stack, attributeSet), link));
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        // The index begins at 1, for 0 is no entry to it.
        int identity = index.insert(slot, hash) - 1;
        reserve(identity);
        stacks[identity] = stack;
        attributeSets[identity] = attributeSet;
        links[identity] = link;
        return identity;
      }
      if (entry > 0
          && stacks[entry - 1] == stack
          && attributeSets[entry - 1] == attributeSet
          && links[entry - 1] == link) {
        return entry - 1;
      }
    }
  }

  public int stack(int identity) {
    return stacks[identity];
  }

  public int attributeSet(int identity) {
    return attributeSets[identity];
  }

  public int link(int identity) {
    return links[identity];
  }

  public int size() {
    return index.size() - 1;
  }

  public void reset() {
    index.reset();
  }

  private void reserve(int identity) {
    if (identity == stacks.length) {
      stacks = Arrays.copyOf(stacks, identity * 2);
      attributeSets = Arrays.copyOf(attributeSets, identity * 2);
      links = Arrays.copyOf(links, identity * 2);
    }
  }
}
