/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isDigit;

/** Times that are numbers since 1970, of which the size tells the unit. */
final class Epoch {
  /** The largest number that is still taken for seconds, in the year 2262 as nanoseconds end. */
  private static final long LAST_SECOND = 9_223_372_035L;

  private Epoch() {}

  /** The time in nanoseconds; 0 if the number is none. */
  static long nanos(byte[] bytes, int from, int to) {
    long whole = 0;
    int at = from;
    for (; at < to && isDigit(bytes[at]); at++) {
      if (whole > (Long.MAX_VALUE - 9) / 10) {
        return 0;
      }
      whole = whole * 10 + (bytes[at] - '0');
    }
    long scale = scale(whole);
    long nanos = whole * scale;
    if (at < to && bytes[at] == '.') {
      long unit = scale / 10;
      for (at++; at < to && isDigit(bytes[at]) && unit > 0; at++) {
        nanos += (bytes[at] - '0') * unit;
        unit /= 10;
      }
    }
    return nanos;
  }

  private static long scale(long whole) {
    if (whole <= LAST_SECOND) {
      return 1_000_000_000;
    }
    if (whole <= LAST_SECOND * 1_000) {
      return 1_000_000;
    }
    return whole <= LAST_SECOND * 1_000_000 ? 1_000 : 1;
  }
}
