/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import java.nio.charset.StandardCharsets;

/** Bytes as the characters of the same numbers, which can be looked at only so many times. */
final class BoundedText implements CharSequence {
  private static final long AT_LEAST = 100_000;
  private static final long PER_BYTE = 100;

  private final byte[] bytes;
  private long steps;

  BoundedText(byte[] bytes) {
    this.bytes = bytes;
    steps = AT_LEAST + PER_BYTE * bytes.length;
  }

  @Override
  public char charAt(int index) {
    if (--steps < 0) {
      throw new TooManySteps();
    }
    return (char) (bytes[index] & 0xFF);
  }

  @Override
  public int length() {
    return bytes.length;
  }

  @Override
  public CharSequence subSequence(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Thrown inside of a search that would take too long, and never seen outside. */
  static final class TooManySteps extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManySteps() {
      super("the search takes too many steps", null, false, false);
    }
  }
}
