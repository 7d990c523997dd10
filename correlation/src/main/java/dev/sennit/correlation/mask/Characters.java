/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

/** What secrets are made of. */
final class Characters {
  /** A kind of characters. */
  interface Kind {
    boolean has(byte c);
  }

  private Characters() {}

  static boolean isLetter(byte c) {
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  static boolean isWord(byte c) {
    return isLetter(c) || isDigit(c) || c == '_';
  }

  static boolean isCapitalOrDigit(byte c) {
    return (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  static boolean isBase64Url(byte c) {
    return isWord(c) || c == '-';
  }

  /** As RFC 6750 section 2.1 has it. */
  static boolean isToken(byte c) {
    return isBase64Url(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
  }

  /** What the part of a URL has that names user and host. */
  static boolean isAuthority(byte c) {
    return c < 0 || (c > ' ' && "/?#\"'<>\\".indexOf(c) < 0);
  }

  /** What ends a value that has no quotes around it. */
  static boolean endsValue(byte c) {
    return c >= 0 && (c <= ' ' || ",;&)}]\"'<".indexOf(c) >= 0);
  }

  static int find(byte[] text, int from, int to, String word) {
    for (int i = from; i <= to - word.length(); i++) {
      int length = 0;
      while (length < word.length() && text[i + length] == word.charAt(length)) {
        length++;
      }
      if (length == word.length()) {
        return i;
      }
    }
    return -1;
  }
}
