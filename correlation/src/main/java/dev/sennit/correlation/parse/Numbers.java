/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;

/** Numbers as they are written, without losing a digit of what no type holds. */
final class Numbers {
  /** What a double can say has fewer digits; more than that is somebody's identifier. */
  private static final int LONGEST_REAL = 40;

  private Numbers() {}

  static AttributeValue value(byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int first = negative ? from + 1 : from;
    long whole = Ascii.number(bytes, first, to);
    if (whole >= 0) {
      return AttributeValue.of(negative ? -whole : whole);
    }
    String text = new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    if (text.length() > LONGEST_REAL) {
      return AttributeValue.of(text);
    }
    try {
      boolean integer = Ascii.digitsEnd(bytes, first, to) == to;
      return integer
          ? AttributeValue.of(Long.parseLong(text))
          : AttributeValue.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return AttributeValue.of(text);
    }
  }
}
