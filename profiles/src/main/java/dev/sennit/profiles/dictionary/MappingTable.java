/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/** The mapped files of a dictionary; 0 is the unknown one. Not safe for use by several threads. */
public final class MappingTable {
  private final HashIndex index = new HashIndex();
  private long[] memoryStarts = new long[8];
  private long[] memoryLimits = new long[8];
  private long[] fileOffsets = new long[8];
  private int[] filenames = new int[8];
  private int[] attributeSets = new int[8];

  /** The index of the mapping, added now if it is new; all zero is 0. */
  public int intern(
      long memoryStart, long memoryLimit, long fileOffset, int filenameIndex, int attributeSet) {
    if ((memoryStart | memoryLimit | fileOffset | filenameIndex | attributeSet) == 0) {
      return 0;
    }
    long mixed = HashIndex.mix(HashIndex.mix(memoryStart, memoryLimit), fileOffset);
    int hash = HashIndex.spread(HashIndex.mix(HashIndex.mix(mixed, filenameIndex), attributeSet));
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        entry = index.insert(slot, hash);
        reserve(entry);
        memoryStarts[entry] = memoryStart;
        memoryLimits[entry] = memoryLimit;
        fileOffsets[entry] = fileOffset;
        filenames[entry] = filenameIndex;
        attributeSets[entry] = attributeSet;
        return entry;
      }
      if (entry > 0
          && memoryStarts[entry] == memoryStart
          && memoryLimits[entry] == memoryLimit
          && fileOffsets[entry] == fileOffset
          && filenames[entry] == filenameIndex
          && attributeSets[entry] == attributeSet) {
        return entry;
      }
    }
  }

  public long memoryStart(int entry) {
    return memoryStarts[entry];
  }

  public long memoryLimit(int entry) {
    return memoryLimits[entry];
  }

  public long fileOffset(int entry) {
    return fileOffsets[entry];
  }

  public int filename(int entry) {
    return filenames[entry];
  }

  public int attributeSet(int entry) {
    return attributeSets[entry];
  }

  public int size() {
    return index.size();
  }

  public void reset() {
    index.reset();
  }

  private void reserve(int entry) {
    if (entry == filenames.length) {
      memoryStarts = Arrays.copyOf(memoryStarts, entry * 2);
      memoryLimits = Arrays.copyOf(memoryLimits, entry * 2);
      fileOffsets = Arrays.copyOf(fileOffsets, entry * 2);
      filenames = Arrays.copyOf(filenames, entry * 2);
      attributeSets = Arrays.copyOf(attributeSets, entry * 2);
    }
  }
}
