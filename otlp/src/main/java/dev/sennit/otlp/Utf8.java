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

  /** Whether bytes are UTF-8: no byte is out of place, and nothing is longer than it need be. */
  public static boolean isValid(byte[] bytes) {
    for (int i = 0; i < bytes.length; ) {
      int first = bytes[i];
      int length = first >= 0 ? 1 : lengthOf(first & 0xFF);
      if (length == 0 || i + length > bytes.length || !isWellFormed(bytes, i, length)) {
        return false;
      }
      i += length;
    }
    return true;
  }

  /** By the first byte beyond ASCII; 0 if it cannot be the first. */
  private static int lengthOf(int first) {
    if (first < 0xC2 || first > 0xF4) {
      return 0;
    }
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  }

  /** The second byte tells what is longer than it need be, a surrogate, or beyond Unicode. */
  private static boolean isWellFormed(byte[] bytes, int at, int length) {
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return false;
      }
    }
    int second = length == 1 ? 0 : bytes[at + 1] & 0xFF;
    return switch (bytes[at] & 0xFF) {
      case 0xE0 -> second >= 0xA0;
      case 0xED -> second < 0xA0;
      case 0xF0 -> second >= 0x90;
      case 0xF4 -> second < 0x90;
      default -> true;
    };
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
