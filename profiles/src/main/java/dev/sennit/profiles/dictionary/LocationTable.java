/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/** The code locations of a dictionary; 0 is none. Not safe for use by several threads. */
public final class LocationTable {
  private final HashIndex index = new HashIndex();
  private int[] mappings = new int[32];
  private long[] addresses = new long[32];
  private int[] attributeSets = new int[32];

  /** The lines of location i lie in the columns below from lineStarts[i] to lineStarts[i + 1]. */
  private int[] lineStarts = new int[33];

  private int[] functions = new int[32];
  private long[] lines = new long[32];
  private long[] columns = new long[32];

  private final int[] oneFunction = new int[1];
  private final long[] oneLine = new long[1];
  private final long[] oneColumn = new long[1];

  /**
   * The index of a location in one function, added now if it is new. Without function, line and
   * column it has no line at all; all zero is 0.
   */
  public int intern(
      int mappingIndex, long address, int functionIndex, long line, long column, int attributeSet) {
    oneFunction[0] = functionIndex;
    oneLine[0] = line;
    oneColumn[0] = column;
    int count = (functionIndex | line | column) == 0 ? 0 : 1;
    return intern(mappingIndex, address, oneFunction, oneLine, oneColumn, 0, count, attributeSet);
  }

  /**
   * The index of a location with inlined calls: the first line is the innermost, the last one the
   * caller into which the others were inlined.
   */
  public int intern(
      int mappingIndex,
      long address,
      int[] functionIndices,
      long[] lineNumbers,
      long[] columnNumbers,
      int offset,
      int count,
      int attributeSet) {
    if ((mappingIndex | address | attributeSet | count) == 0) {
      return 0;
    }
    long mixed = HashIndex.mix(HashIndex.mix(mappingIndex, address), attributeSet);
    for (int i = offset; i < offset + count; i++) {
      mixed = HashIndex.mix(HashIndex.mix(mixed, functionIndices[i]), lineNumbers[i]);
      mixed = HashIndex.mix(mixed, columnNumbers[i]);
    }
    int hash = HashIndex.spread(mixed);
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        entry = index.insert(slot, hash);
        reserve(entry, count);
        mappings[entry] = mappingIndex;
        addresses[entry] = address;
        attributeSets[entry] = attributeSet;
        int start = lineStarts[entry];
        System.arraycopy(functionIndices, offset, functions, start, count);
        System.arraycopy(lineNumbers, offset, lines, start, count);
        System.arraycopy(columnNumbers, offset, columns, start, count);
        lineStarts[entry + 1] = start + count;
        return entry;
      }
      if (entry > 0
          && mappings[entry] == mappingIndex
          && addresses[entry] == address
          && attributeSets[entry] == attributeSet
          && sameLines(entry, functionIndices, lineNumbers, columnNumbers, offset, count)) {
        return entry;
      }
    }
  }

  public int mapping(int entry) {
    return mappings[entry];
  }

  public long address(int entry) {
    return addresses[entry];
  }

  public int attributeSet(int entry) {
    return attributeSets[entry];
  }

  public int lineCount(int entry) {
    return lineStarts[entry + 1] - lineStarts[entry];
  }

  /** The function of the k-th line, the innermost being 0. */
  public int function(int entry, int k) {
    return functions[lineStarts[entry] + k];
  }

  public long line(int entry, int k) {
    return lines[lineStarts[entry] + k];
  }

  public long column(int entry, int k) {
    return columns[lineStarts[entry] + k];
  }

  public int size() {
    return index.size();
  }

  public void reset() {
    index.reset();
  }

  private boolean sameLines(
      int entry,
      int[] functionIndices,
      long[] lineNumbers,
      long[] columnNumbers,
      int offset,
      int count) {
    int start = lineStarts[entry];
    if (lineStarts[entry + 1] - start != count) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (functions[start + i] != functionIndices[offset + i]
          || lines[start + i] != lineNumbers[offset + i]
          || columns[start + i] != columnNumbers[offset + i]) {
        return false;
      }
    }
    return true;
  }

  private void reserve(int entry, int count) {
    if (entry == mappings.length) {
      mappings = Arrays.copyOf(mappings, entry * 2);
      addresses = Arrays.copyOf(addresses, entry * 2);
      attributeSets = Arrays.copyOf(attributeSets, entry * 2);
      lineStarts = Arrays.copyOf(lineStarts, entry * 2 + 1);
    }
    int needed = lineStarts[entry] + count;
    if (needed > functions.length) {
      int capacity = Math.max(functions.length * 2, needed);
      functions = Arrays.copyOf(functions, capacity);
      lines = Arrays.copyOf(lines, capacity);
      columns = Arrays.copyOf(columns, capacity);
    }
  }
}
