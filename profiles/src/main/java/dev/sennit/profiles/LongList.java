/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;

/** A growing list of longs. */
final class LongList {
  long[] values = new long[16];
  int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  void clear() {
    size = 0;
  }
}
