/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import java.util.Arrays;

/** The places of a text that are to be masked, from left to right. */
final class Cuts {
  /** Of one length, whatever it stands for: a length also tells something. */
  private static final byte[] MASK = {'*', '*', '*', '*'};

  private int[] places = new int[8];
  private int size;
  private int cut;

  void add(int from, int to) {
    if (size == places.length) {
      places = Arrays.copyOf(places, size * 2);
    }
    places[size++] = from;
    places[size++] = to;
    cut += to - from;
  }

  byte[] apply(byte[] text) {
    byte[] masked = new byte[text.length - cut + size / 2 * MASK.length];
    int read = 0;
    int written = 0;
    for (int i = 0; i < size; i += 2) {
      int kept = places[i] - read;
      System.arraycopy(text, read, masked, written, kept);
      System.arraycopy(MASK, 0, masked, written + kept, MASK.length);
      written += kept + MASK.length;
      read = places[i + 1];
    }
    System.arraycopy(text, read, masked, written, text.length - read);
    return masked;
  }
}
