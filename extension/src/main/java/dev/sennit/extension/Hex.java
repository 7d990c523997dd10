/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads the hexadecimal ids of OpenTelemetry, which are checked already. */
final class Hex {
  /** Of 64 bits, and the bytes that reading them needs. */
  static final int DIGITS = 16;

  private static final VarHandle EIGHT_DIGITS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Hex() {}

  /** The 64 bits that {@code text} has from {@code start} on. */
  static long parse(String text, int start) {
    return parse(text, start, new byte[DIGITS]);
  }

  /**
   * The same without garbage: the digits are copied to {@code scratch}, which takes a quarter of
   * the time of asking the text for each.
   */
  @SuppressWarnings("deprecation") // of digits the lower half is all there is
  static long parse(String text, int start, byte[] scratch) {
    text.getBytes(start, start + DIGITS, scratch, 0);
    return bits((long) EIGHT_DIGITS.get(scratch, 0)) << 32
        | bits((long) EIGHT_DIGITS.get(scratch, Long.BYTES));
  }

  /** Eight at once: bit 6 is set in letters, whose lower bits begin with 1 for a. */
  private static long bits(long digits) {
    long values = (digits & 0x0F0F0F0F0F0F0F0FL) + 9 * (digits >>> 6 & 0x0101010101010101L);
    values = (values | values >>> 4) & 0x00FF00FF00FF00FFL;
    values = (values | values >>> 8) & 0x0000FFFF0000FFFFL;
    return (values | values >>> 16) & 0xFFFFFFFFL;
  }
}
