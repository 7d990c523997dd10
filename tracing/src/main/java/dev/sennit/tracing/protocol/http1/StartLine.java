/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.traffic.Inflow;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whether bytes begin as a message of HTTP/1 does. */
final class StartLine {
  private static final int LONGEST_METHOD = 32;

  /**
   * Where no end of the line was captured, a line that begins so and goes on for so long is one.
   */
  private static final int LONG_ENOUGH = 256;

  private static final List<String> USUAL =
      List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "CONNECT", "TRACE");
  private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

  private StartLine() {}

  /** A method, a target, {@code HTTP/1.} and a digit, with a space between and an end of line. */
  static Likeness request(Inflow bytes, int at) {
    int space = at;
    while (space < bytes.size() && bytes.get(space) != ' ') {
      if (!isToken(bytes.get(space)) || space - at == LONGEST_METHOD) {
        return Likeness.NO;
      }
      space++;
    }
    if (space == bytes.size()) {
      return Likeness.TOO_FEW;
    }
    int end = space + 1;
    while (end < bytes.size() && bytes.get(end) != ' ') {
      if (bytes.get(end) < ' ' || bytes.get(end) == 0x7f) {
        return Likeness.NO;
      }
      end++;
    }
    if (space == at || (end == space + 1 && end < bytes.size())) {
      return Likeness.NO;
    }
    if (end == bytes.size()) {
      boolean isLong = bytes.isBroken() && end - at > LONG_ENOUGH && bytes.get(space + 1) == '/';
      return isLong && hasUsualMethod(bytes, at) ? Likeness.CLEAR : Likeness.TOO_FEW;
    }
    return version(bytes, end + 1);
  }

  /** Whether the bytes begin with one of the methods that are in everyday use. */
  static boolean hasUsualMethod(Inflow bytes, int at) {
    int space = bytes.indexOf(' ', at);
    return space > 0 && USUAL.contains(bytes.latin1(at, space - at));
  }

  private static Likeness version(Inflow bytes, int at) {
    for (int i = 0; i < VERSION.length + 2; i++) {
      if (at + i >= bytes.size()) {
        return Likeness.TOO_FEW;
      }
      int b = bytes.get(at + i);
      boolean right =
          i < VERSION.length
              ? b == VERSION[i]
              : i == VERSION.length ? isDigit(b) : b == '\r' || b == '\n';
      if (!right) {
        return Likeness.NO;
      }
    }
    return Likeness.CLEAR;
  }

  /** {@code HTTP/1.}, a digit, a space, and three digits that end. */
  static Likeness response(Inflow bytes, int at) {
    for (int i = 0; i < VERSION.length + 6; i++) {
      if (at + i >= bytes.size()) {
        return Likeness.TOO_FEW;
      }
      int b = bytes.get(at + i);
      boolean right =
          switch (i - VERSION.length) {
            case -7, -6, -5, -4, -3, -2, -1 -> b == VERSION[i];
            case 1 -> b == ' ';
            case 2 -> b >= '1' && b <= '9';
            case 5 -> b == ' ' || b == '\r' || b == '\n';
            default -> isDigit(b);
          };
      if (!right) {
        return Likeness.NO;
      }
    }
    return Likeness.CLEAR;
  }

  private static boolean isDigit(int b) {
    return b >= '0' && b <= '9';
  }

  /** RFC 9110, section 5.6.2. */
  static boolean isToken(int b) {
    return isDigit(b)
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b > 0 && "!#$%&'*+-.^_`|~".indexOf(b) >= 0);
  }
}
