/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The different frames in the stack traces of a chunk, numbered from 0. There are some thousands of
 * them in some millions of places, so a frame is known again by its bytes, and decoded once.
 */
final class FrameTable {
  /** For {@link #number}: what follows is not the bytes of a frame but the number of a constant. */
  static final long CONSTANT = -1;

  private static final int FIELDS = 4;
  private static final int SMALLEST = 16;

  /** Open addressing; pairs of keys, and the number of the frame plus one. */
  private long[] keys = new long[2 * SMALLEST];

  private int[] numbers = new int[SMALLEST];
  private int keyCount;

  /** The frames whose bytes do not fit into a key. */
  private final Map<Frame, Integer> others = new HashMap<>();

  /** Method, line, bytecode index and type of each frame. */
  private long[] values = new long[FIELDS * SMALLEST];

  private int size;

  private record Frame(long method, long line, long bytecodeIndex, long type) {}

  int size() {
    return size;
  }

  /**
   * The number of the frame that has these bytes, or -1.
   *
   * @param method those of its first integer
   * @param others those of its other integers, or {@link #CONSTANT}
   */
  int number(long method, long others) {
    int slot = slot(keys, numbers, method, others);
    return numbers[slot] - 1;
  }

  /** Numbers a frame that has no number under these keys. */
  int add(long key, long otherKey, long method, long line, long bytecodeIndex, long type) {
    int number = append(method, line, bytecodeIndex, type);
    int slot = slot(keys, numbers, key, otherKey);
    keys[2 * slot] = key;
    keys[2 * slot + 1] = otherKey;
    numbers[slot] = number + 1;
    if (2 * ++keyCount > numbers.length) {
      grow();
    }
    return number;
  }

  /** The number of a frame that has no keys. */
  int number(long method, long line, long bytecodeIndex, long type) {
    Frame frame = new Frame(method, line, bytecodeIndex, type);
    Integer known = others.get(frame);
    if (known != null) {
      return known;
    }
    int number = append(method, line, bytecodeIndex, type);
    others.put(frame, number);
    return number;
  }

  long method(int number) {
    return values[FIELDS * number];
  }

  int line(int number) {
    return (int) values[FIELDS * number + 1];
  }

  int bytecodeIndex(int number) {
    return (int) values[FIELDS * number + 2];
  }

  long type(int number) {
    return values[FIELDS * number + 3];
  }

  private int append(long method, long line, long bytecodeIndex, long type) {
    int at = FIELDS * size;
    if (at == values.length) {
      values = Arrays.copyOf(values, 2 * at);
    }
    values[at] = method;
    values[at + 1] = line;
    values[at + 2] = bytecodeIndex;
    values[at + 3] = type;
    return size++;
  }

  private void grow() {
    long[] biggerKeys = new long[2 * keys.length];
    int[] biggerNumbers = new int[2 * numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0) {
        int slot = slot(biggerKeys, biggerNumbers, keys[2 * i], keys[2 * i + 1]);
        biggerKeys[2 * slot] = keys[2 * i];
        biggerKeys[2 * slot + 1] = keys[2 * i + 1];
        biggerNumbers[slot] = numbers[i];
      }
    }
    keys = biggerKeys;
    numbers = biggerNumbers;
  }

  private static int slot(long[] keys, int[] numbers, long key, long other) {
    int mask = numbers.length - 1;
    int slot = (int) (((key * 31 + other) * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (numbers[slot] != 0 && (keys[2 * slot] != key || keys[2 * slot + 1] != other)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }
}
