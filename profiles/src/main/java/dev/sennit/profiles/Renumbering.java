/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;

/** New numbers for the entries of a table, in the order in which they are added; 0 stays 0. */
final class Renumbering {
  private final String table;

  /** By old number; 0 for what was not added. */
  private final int[] renumbered;

  private int[] kept = new int[16];
  private int count = 1;

  Renumbering(String table, int size) {
    this.table = table;
    renumbered = new int[size];
  }

  /** Adds an entry; false if it has a number already. */
  boolean add(int entry) {
    if (entry < 0 || entry >= renumbered.length) {
      throw new IllegalArgumentException(
          table + " " + entry + " is referred to, but the table has " + renumbered.length);
    }
    if (entry == 0 || renumbered[entry] != 0) {
      return false;
    }
    if (count == kept.length) {
      kept = Arrays.copyOf(kept, count * 2);
    }
    kept[count] = entry;
    renumbered[entry] = count++;
    return true;
  }

  void takeBack(int toCount) {
    while (count > toCount) {
      renumbered[kept[--count]] = 0;
    }
  }

  int of(int entry) {
    return renumbered[entry];
  }

  /** The old number. */
  int original(int number) {
    return kept[number];
  }

  /** The number of entries, the zero entry included. */
  int count() {
    return count;
  }
}
