/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
  int[] values = new int[16];
  int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  void clear() {
    size = 0;
  }
}
