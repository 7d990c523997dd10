/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import java.util.Arrays;

/**
 * Reads a text in double quotes. The answer stays in {@link #bytes}, {@link #from} and {@link #to}:
 * the place in the line itself, or a copy where something was escaped.
 */
final class QuotedText {
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  byte[] bytes = {};
  int from;
  int to;

  private byte[] copy = new byte[256];
  private int size;

  /** Reads from behind the first quote; the result is the place behind the last one, or -1. */
  int read(byte[] text, int begin, int limit) {
    for (int i = begin; i < limit; i++) {
      byte c = text[i];
      if (c == '"') {
        bytes = text;
        from = begin;
        to = i;
        return i + 1;
      }
      if (c == '\\') {
        return readEscaped(text, begin, i, limit);
      }
    }
    return -1;
  }

  private int readEscaped(byte[] text, int begin, int escape, int limit) {
    size = 0;
    reserve(escape - begin);
    System.arraycopy(text, begin, copy, 0, escape - begin);
    size = escape - begin;
    int at = escape;
    while (at < limit) {
      byte c = text[at++];
      if (c == '"') {
        bytes = copy;
        from = 0;
        to = size;
        return at;
      }
      if (c != '\\') {
        append(c);
      } else if (at < limit) {
        at = escaped(text, at, limit);
      }
    }
    return -1;
  }

  private int escaped(byte[] text, int at, int limit) {
    byte c = text[at];
    switch (c) {
      case 'n' -> append('\n');
      case 't' -> append('\t');
      case 'r' -> append('\r');
      case 'b' -> append('\b');
      case 'f' -> append('\f');
      case 'u' -> {
        return unicode(text, at + 1, limit);
      }
      default -> append(c);
    }
    return at + 1;
  }

  private int unicode(byte[] text, int at, int limit) {
    int unit = unit(text, at, limit);
    if (unit < 0) {
      append('u');
      return at;
    }
    if (Character.isHighSurrogate((char) unit)
        && Ascii.startsWith(text, at + 4, limit, "\\u")
        && Character.isLowSurrogate((char) unit(text, at + 6, limit))) {
      appendPoint(Character.toCodePoint((char) unit, (char) unit(text, at + 6, limit)));
      return at + 10;
    }
    appendPoint(unit);
    return at + 4;
  }

  private static int unit(byte[] text, int at, int limit) {
    return limit - at >= 4 && Ascii.isHex(text, at, at + 4)
        ? (int) Ascii.hexNumber(text, at, at + 4)
        : -1;
  }

  private void appendPoint(int point) {
    if (point < 0x80) {
      append(point);
    } else if (point < 0x800) {
      append(0xC0 | (point >> 6));
      append(0x80 | (point & 0x3F));
    } else if (point >= 0xD800 && point <= 0xDFFF) {
      for (byte part : REPLACEMENT) {
        append(part);
      }
    } else if (point < 0x10000) {
      append(0xE0 | (point >> 12));
      append(0x80 | ((point >> 6) & 0x3F));
      append(0x80 | (point & 0x3F));
    } else {
      append(0xF0 | (point >> 18));
      append(0x80 | ((point >> 12) & 0x3F));
      append(0x80 | ((point >> 6) & 0x3F));
      append(0x80 | (point & 0x3F));
    }
  }

  private void append(int c) {
    reserve(1);
    copy[size++] = (byte) c;
  }

  private void reserve(int more) {
    if (size + more > copy.length) {
      copy = Arrays.copyOf(copy, Math.max(copy.length * 2, size + more));
    }
  }

  /** Lets go of the room that one long text needed. */
  void shrink() {
    if (copy.length > 1 << 16) {
      copy = new byte[256];
    }
    bytes = copy;
  }
}
