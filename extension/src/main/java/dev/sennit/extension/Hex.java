/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

/** Reads the hexadecimal ids of OpenTelemetry, which are checked already, without garbage. */
final class Hex {
  private static final int DIGITS = 16;

  private Hex() {}

  /** The 64 bits that {@code text} has from {@code start} on. */
  static long parse(String text, int start) {
    long value = 0;
    for (int i = start; i < start + DIGITS; i++) {
      char digit = text.charAt(i);
      // Without a branch, which would be foreseen wrongly every third time: bit 6 is set in
      // letters,
      // whose lower bits begin with 1 for a.
      value = value << 4 | (digit & 15) + (digit >> 6) * 9;
    }
    return value;
  }
}
