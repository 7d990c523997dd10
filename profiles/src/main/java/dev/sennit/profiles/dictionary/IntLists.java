/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/**
 * Lists of ints, each once; 0 is the empty list. They lie in blocks that are never copied, for deep
 * stacks are most of what a conversion keeps in memory. A list whose values are all below 65,536,
 * as they nearly always are, takes one char a value, else two.
 *
 * <pre>
 *   position of a list   30 ...... 16 15 ...... 0
 *                        block        first char
 *   length of a list     31 ............. 1 0
 *                        values             two chars a value
 * </pre>
 */
final class IntLists {
  private static final int BLOCK_BITS = 16;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int MAX_BLOCKS = 1 << (Integer.SIZE - 1 - BLOCK_BITS);

  private final HashIndex index = new HashIndex();
  private int[] positions = new int[32];
  private int[] lengths = new int[32];
  private char[][] blocks = new char[4][];
  private int blockCount;

  /** Chars used of the last block, which is full before there is one. */
  private int used = BLOCK;

  /** Four hashes side by side: a single one would wait for its own multiplication at each value. */
  static int hash(int[] values, int offset, int length) {
    long a = length;
    long b = 1;
    long c = 2;
    long d = 3;
    int end = offset + length;
    int i = offset;
    for (; i <= end - 4; i += 4) {
      a = HashIndex.mix(a, values[i]);
      b = HashIndex.mix(b, values[i + 1]);
      c = HashIndex.mix(c, values[i + 2]);
      d = HashIndex.mix(d, values[i + 3]);
    }
    for (; i < end; i++) {
      a = HashIndex.mix(a, values[i]);
    }
    return HashIndex.spread(HashIndex.mix(HashIndex.mix(a, b), HashIndex.mix(c, d)));
  }

  int intern(int[] values, int offset, int length, int hash) {
    if (length == 0) {
      return 0;
    }
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        return add(index.insert(slot, hash), values, offset, length);
      }
      if (entry > 0 && equal(entry, values, offset, length)) {
        return entry;
      }
    }
  }

  int length(int entry) {
    return lengths[entry] >>> 1;
  }

  int get(int entry, int position) {
    if (position < 0 || position >= length(entry)) {
      throw new IndexOutOfBoundsException(
          "position " + position + " of list " + entry + ", which has " + length(entry));
    }
    char[] block = blocks[positions[entry] >>> BLOCK_BITS];
    int start = positions[entry] & BLOCK - 1;
    return isWide(entry) ? wide(block, start + 2 * position) : block[start + position];
  }

  /** Copies a list to the start of an array, which is {@code target} or a longer one. */
  int[] copy(int entry, int[] target) {
    int length = length(entry);
    int[] values = length <= target.length ? target : new int[Math.max(length, 2 * target.length)];
    if (length == 0) {
      return values;
    }
    char[] block = blocks[positions[entry] >>> BLOCK_BITS];
    int start = positions[entry] & BLOCK - 1;
    if (isWide(entry)) {
      for (int i = 0; i < length; i++) {
        values[i] = wide(block, start + 2 * i);
      }
    } else {
      for (int i = 0; i < length; i++) {
        values[i] = block[start + i];
      }
    }
    return values;
  }

  int size() {
    return index.size();
  }

  void reset() {
    index.reset();
    blockCount = 0;
    used = BLOCK;
  }

  private boolean isWide(int entry) {
    return (lengths[entry] & 1) != 0;
  }

  private static int wide(char[] block, int at) {
    return block[at] | block[at + 1] << 16;
  }

  private boolean equal(int entry, int[] values, int offset, int length) {
    if (length(entry) != length) {
      return false;
    }
    char[] block = blocks[positions[entry] >>> BLOCK_BITS];
    int start = positions[entry] & BLOCK - 1;
    if (isWide(entry)) {
      for (int i = 0; i < length; i++) {
        if (wide(block, start + 2 * i) != values[offset + i]) {
          return false;
        }
      }
    } else {
      for (int i = 0; i < length; i++) {
        if (block[start + i] != values[offset + i]) {
          return false;
        }
      }
    }
    return true;
  }

  private int add(int entry, int[] values, int offset, int length) {
    int bits = 0;
    for (int i = offset; i < offset + length; i++) {
      bits |= values[i];
    }
    boolean isWide = bits >>> Character.SIZE != 0;
    int chars = isWide ? Math.multiplyExact(2, length) : length;
    if (chars > BLOCK - used) {
      addBlock(chars);
    }
    char[] block = blocks[blockCount - 1];
    int start = used;
    for (int i = 0; i < length; i++) {
      int value = values[offset + i];
      if (isWide) {
        block[start + 2 * i] = (char) value;
        block[start + 2 * i + 1] = (char) (value >>> 16);
      } else {
        block[start + i] = (char) value;
      }
    }
    // A block of one long list has no room for another.
    used = Math.min(start + chars, BLOCK);
    if (entry >= positions.length) {
      positions = Arrays.copyOf(positions, 2 * positions.length);
      lengths = Arrays.copyOf(lengths, positions.length);
    }
    positions[entry] = (blockCount - 1) << BLOCK_BITS | start;
    lengths[entry] = length << 1 | (isWide ? 1 : 0);
    return entry;
  }

  private void addBlock(int chars) {
    if (blockCount == MAX_BLOCKS) {
      throw new IllegalStateException(
          "a table of lists cannot hold more than " + (long) MAX_BLOCKS * BLOCK + " elements");
    }
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * blocks.length);
    }
    // What a table held before it was reset is used again.
    if (blocks[blockCount] == null || blocks[blockCount].length < chars) {
      blocks[blockCount] = new char[Math.max(BLOCK, chars)];
    }
    blockCount++;
    used = 0;
  }
}
