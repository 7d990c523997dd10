/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sennit.correlation.parse.LineParser;

/** What the lines of one descriptor look like, and therefore which of them go on with another. */
final class Layout {
  private static final byte[][] TRACES = {
    "Caused by: ".getBytes(US_ASCII),
    "Suppressed: ".getBytes(US_ASCII),
    "... ".getBytes(US_ASCII),
    "Traceback (most recent call last)".getBytes(US_ASCII),
    "During handling of the above exception".getBytes(US_ASCII),
    "The above exception was the direct cause".getBytes(US_ASCII),
    "goroutine ".getBytes(US_ASCII),
  };

  private final LineParser parser = new LineParser();
  private boolean hasBeginnings;

  LineParser parser() {
    return parser;
  }

  /**
   * Whether a line belongs to the one before it.
   *
   * @param together whether one call wrote both
   */
  boolean goesOn(byte[] bytes, int from, int to, boolean together) {
    if (from == to || bytes[from] == ' ' || bytes[from] == '\t') {
      return true;
    }
    for (byte[] trace : TRACES) {
      if (startsWith(bytes, from, to, trace)) {
        return true;
      }
    }
    if (parser.begins(bytes, from, to)) {
      hasBeginnings = true;
      return false;
    }
    return (together && hasBeginnings) || startsWithThrowable(bytes, from, to);
  }

  /** A first line, which may show that lines have a clear beginning here. */
  void first(byte[] bytes, int from, int to) {
    if (!hasBeginnings) {
      hasBeginnings = parser.begins(bytes, from, to);
    }
  }

  private static boolean startsWith(byte[] bytes, int from, int to, byte[] start) {
    if (to - from < start.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (bytes[from + i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  /** A qualified name, and then nothing, or a colon: so a printed stack trace begins, or ends. */
  private static boolean startsWithThrowable(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isOfName(bytes[at])) {
      at++;
    }
    boolean named = endsWith(bytes, from, at, "Exception") || endsWith(bytes, from, at, "Error");
    return named && (at == to || bytes[at] == ':');
  }

  private static boolean isOfName(byte value) {
    return Character.isLetterOrDigit(value) || value == '.' || value == '_' || value == '$';
  }

  private static boolean endsWith(byte[] bytes, int from, int to, String end) {
    int start = to - end.length();
    if (start < from) {
      return false;
    }
    for (int i = 0; i < end.length(); i++) {
      if (bytes[start + i] != end.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
