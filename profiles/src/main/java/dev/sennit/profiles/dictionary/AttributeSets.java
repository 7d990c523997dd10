/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/**
 * Sets of attributes, so that a sample, a location or a mapping needs one number for all of its
 * attributes; 0 is the empty set. It exists here only: the wire has the lists themselves. Not safe
 * for use by several threads.
 */
public final class AttributeSets {
  private final IntLists lists = new IntLists();
  private int[] scratch = new int[16];

  /**
   * The set of these attribute indices, in any order and with repetitions; 0 among them is none.
   */
  public int intern(int[] attributes, int offset, int length) {
    reserve(length);
    System.arraycopy(attributes, offset, scratch, 0, length);
    return internScratch(length);
  }

  public int intern(int... attributes) {
    return intern(attributes, 0, attributes.length);
  }

  /** The set with one more attribute. */
  public int with(int set, int attribute) {
    int length = lists.length(set);
    reserve(length + 1);
    for (int i = 0; i < length; i++) {
      scratch[i] = lists.get(set, i);
    }
    scratch[length] = attribute;
    return internScratch(length + 1);
  }

  public int length(int set) {
    return lists.length(set);
  }

  /** The k-th attribute of a set, in ascending order. */
  public int attribute(int set, int k) {
    return lists.get(set, k);
  }

  public int size() {
    return lists.size();
  }

  public void reset() {
    lists.reset();
  }

  private int internScratch(int length) {
    Arrays.sort(scratch, 0, length);
    int unique = 0;
    for (int i = 0; i < length; i++) {
      if (scratch[i] != 0 && (unique == 0 || scratch[i] != scratch[unique - 1])) {
        scratch[unique++] = scratch[i];
      }
    }
    return lists.intern(scratch, 0, unique, IntLists.hash(scratch, 0, unique));
  }

  private void reserve(int length) {
    if (scratch.length < length) {
      scratch = new int[Math.max(length, scratch.length * 2)];
    }
  }
}
