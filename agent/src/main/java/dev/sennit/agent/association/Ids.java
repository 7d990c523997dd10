/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

/** A trace, a span and their flags, in texts. */
final class Ids {
  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final int LENGTH = 55;

  private Ids() {}

  /** The {@code traceparent} of W3C Trace Context, version 00. */
  @SuppressWarnings("deprecation") // The one constructor that copies Latin-1 without a decoder.
  static String traceparent(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    byte[] text = new byte[LENGTH];
    text[0] = '0';
    text[1] = '0';
    text[2] = '-';
    hex(text, 3, traceIdHigh, 16);
    hex(text, 19, traceIdLow, 16);
    text[35] = '-';
    hex(text, 36, spanId, 16);
    text[52] = '-';
    hex(text, 53, flags & 0xff, 2);
    return new String(text, 0, 0, LENGTH);
  }

  private static void hex(byte[] text, int offset, long value, int digits) {
    long rest = value;
    for (int i = offset + digits - 1; i >= offset; i--) {
      text[i] = DIGITS[(int) rest & 0xf];
      rest >>>= 4;
    }
  }
}
