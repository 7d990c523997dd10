/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import java.util.Arrays;

/** The sequences by which terminals change colours, which say nothing about a line. */
final class Colours {
  static final byte ESCAPE = 0x1B;

  private Colours() {}

  /** The range without them. */
  static byte[] strip(byte[] bytes, int from, int to) {
    byte[] plain = new byte[to - from];
    int size = 0;
    int at = from;
    while (at < to) {
      int end = sequenceEnd(bytes, at, to);
      if (end > at) {
        at = end;
      } else {
        plain[size++] = bytes[at++];
      }
    }
    return Arrays.copyOf(plain, size);
  }

  /** Where the sequence ends that begins here; here itself if there is none. */
  private static int sequenceEnd(byte[] bytes, int at, int to) {
    if (bytes[at] != ESCAPE || at + 2 >= to || bytes[at + 1] != '[') {
      return at;
    }
    int end = at + 2;
    while (end < to && (Ascii.isDigit(bytes[end]) || bytes[end] == ';')) {
      end++;
    }
    return end < to && bytes[end] == 'm' ? end + 1 : at;
  }
}
