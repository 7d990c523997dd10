/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/** The functions of a dictionary, by their strings. Not safe for use by several threads. */
public final class FunctionTable {
  private final HashIndex index = new HashIndex();
  private int[] names = new int[32];
  private int[] systemNames = new int[32];
  private int[] filenames = new int[32];
  private long[] startLines = new long[32];

  /** The index of the function, added now if it is new; all zero is 0. */
  public int intern(int nameIndex, int systemNameIndex, int filenameIndex, long startLine) {
    if ((nameIndex | systemNameIndex | filenameIndex | startLine) == 0) {
      return 0;
    }
    long mixed = HashIndex.mix(nameIndex, systemNameIndex);
    int hash = HashIndex.spread(HashIndex.mix(HashIndex.mix(mixed, filenameIndex), startLine));
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        entry = index.insert(slot, hash);
        reserve(entry);
        names[entry] = nameIndex;
        systemNames[entry] = systemNameIndex;
        filenames[entry] = filenameIndex;
        startLines[entry] = startLine;
        return entry;
      }
      if (entry > 0
          && names[entry] == nameIndex
          && systemNames[entry] == systemNameIndex
          && filenames[entry] == filenameIndex
          && startLines[entry] == startLine) {
        return entry;
      }
    }
  }

  public int name(int entry) {
    return names[entry];
  }

  public int systemName(int entry) {
    return systemNames[entry];
  }

  public int filename(int entry) {
    return filenames[entry];
  }

  public long startLine(int entry) {
    return startLines[entry];
  }

  public int size() {
    return index.size();
  }

  public void reset() {
    index.reset();
  }

  private void reserve(int entry) {
    if (entry == names.length) {
      names = Arrays.copyOf(names, entry * 2);
      systemNames = Arrays.copyOf(systemNames, entry * 2);
      filenames = Arrays.copyOf(filenames, entry * 2);
      startLines = Arrays.copyOf(startLines, entry * 2);
    }
  }
}
