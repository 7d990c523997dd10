/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

/**
 * UTF-8 of a string without an array in between. A surrogate without its partner, which has no
 * UTF-8, becomes a question mark, as {@link String#getBytes(java.nio.charset.Charset)} does it.
 */
public final class Utf8 {
  private Utf8() {}

  /** The number of bytes that the string takes. */
  public static int length(String value) {
    int chars = value.length();
    long bytes = chars;
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        continue;
      }
      if (c < 0x800) {
        bytes++;
      } else if (!Character.isSurrogate(c)) {
        bytes += 2;
      } else if (isPair(value, i)) {
        bytes += 2;
        i++;
      }
    }
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a string of " + bytes + " bytes of UTF-8 is too long");
    }
    return (int) bytes;
  }

  /** Whether the string has UTF-8 at all, that is, no surrogate without its partner. */
  public static boolean isEncodable(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isSurrogate(value.charAt(i))) {
        if (!isPair(value, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /** Encodes into {@code target}, which has room. */
  static void encode(String value, byte[] target, int offset) {
    int chars = value.length();
    int at = offset;
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        target[at++] = (byte) c;
      } else {
        at = encodeBeyondAscii(value, i, target, at);
        if (isPair(value, i)) {
          i++;
        }
      }
    }
  }

  /** Encodes the character or pair at {@code index}; the result is where its encoding ends. */
  static int encodeBeyondAscii(String value, int index, byte[] target, int offset) {
    char c = value.charAt(index);
    int at = offset;
    if (c < 0x800) {
      target[at++] = (byte) (0xC0 | (c >> 6));
    } else if (!Character.isSurrogate(c)) {
      target[at++] = (byte) (0xE0 | (c >> 12));
      target[at++] = continuation(c >> 6);
    } else if (isPair(value, index)) {
      int point = Character.toCodePoint(c, value.charAt(index + 1));
      target[at++] = (byte) (0xF0 | (point >> 18));
      target[at++] = continuation(point >> 12);
      target[at++] = continuation(point >> 6);
      target[at++] = continuation(point);
      return at;
    } else {
      target[at++] = '?';
      return at;
    }
    target[at++] = continuation(c);
    return at;
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  static boolean isPair(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        && at + 1 < value.length()
        && Character.isLowSurrogate(value.charAt(at + 1));
  }
}
