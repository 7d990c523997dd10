/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

/** Questions about bytes that are ASCII, or are not. */
final class Ascii {
  private Ascii() {}

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isLetter(int c) {
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isUpper(int c) {
    return c >= 'A' && c <= 'Z';
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  /** Whether a name of a class, a logger or a key can have it. */
  static boolean isNamePart(int c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '.' || c == '-' || c == '$' || c == '@';
  }

  static int skipBlanks(byte[] bytes, int at, int to) {
    int i = at;
    while (i < to && isBlank(bytes[i])) {
      i++;
    }
    return i;
  }

  /** Where the next blank is, or {@code to}. */
  static int wordEnd(byte[] bytes, int at, int to) {
    int i = at;
    while (i < to && !isBlank(bytes[i])) {
      i++;
    }
    return i;
  }

  /** Where the byte is, or -1. */
  static int find(byte[] bytes, int at, int to, int wanted) {
    for (int i = at; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  static boolean startsWith(byte[] bytes, int at, int to, String text) {
    int length = text.length();
    if (to - at < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The number in so many digits, or -1 if they are not all digits. */
  static int digits(byte[] bytes, int at, int to, int count) {
    if (to - at < count) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + count; i++) {
      if (!isDigit(bytes[i])) {
        return -1;
      }
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }

  /** Where the digits end that begin here. */
  static int digitsEnd(byte[] bytes, int at, int to) {
    int i = at;
    while (i < to && isDigit(bytes[i])) {
      i++;
    }
    return i;
  }

  /** The whole of the range as a number from 0 to what a long holds, or -1. */
  static long number(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length < 1 || length > 18 || digitsEnd(bytes, from, to) != to) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }

  /** The value of a hexadecimal digit, or -1. */
  static int hex(int c) {
    if (isDigit(c)) {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  static boolean isHex(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (hex(bytes[i]) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The number in up to 16 hexadecimal digits. */
  static long hexNumber(byte[] bytes, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      value = (value << 4) | hex(bytes[i]);
    }
    return value;
  }
}
