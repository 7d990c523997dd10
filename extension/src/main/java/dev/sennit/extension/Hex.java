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
      value = value << 4 | (digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return value;
  }
}
