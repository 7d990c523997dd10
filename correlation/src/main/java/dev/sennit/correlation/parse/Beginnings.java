/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;
import static dev.sennit.correlation.parse.Ascii.isDigit;

import java.nio.charset.StandardCharsets;

/** Tells the lines that begin a record from those that belong to the one above. */
final class Beginnings {
  /** What must be seen of a line in colours. */
  private static final int LOOK = 256;

  private final Times times;
  private final Line line;

  /** Whether the line before was the first of the two of {@code java.util.logging}. */
  private boolean halfway;

  Beginnings(Times times) {
    this.times = times;
    line = new Line(times);
  }

  boolean begins(byte[] bytes, int from, int to) {
    boolean second = halfway;
    halfway = false;
    if (from >= to) {
      return false;
    }
    if (bytes[from] == Colours.ESCAPE) {
      byte[] plain = Colours.strip(bytes, from, Math.min(to, from + LOOK));
      return plain.length > 0 && begins(plain, 0, plain.length, second);
    }
    return begins(bytes, from, to, second);
  }

  private boolean begins(byte[] bytes, int from, int to, boolean second) {
    byte first = bytes[from];
    if (isDigit(first)) {
      return times.read(bytes, from, to, 0) || isAccess(bytes, from, to);
    }
    return switch (first) {
      case '{' -> {
        int next = Ascii.skipBlanks(bytes, from + 1, to);
        yield next < to && bytes[next] == '"';
      }
      case '<' -> {
        int close = Ascii.digitsEnd(bytes, from + 1, to);
        yield close > from + 1 && close <= from + 4 && close < to && bytes[close] == '>';
      }
      case '[' -> inBracket(bytes, from + 1, to);
      case ' ' -> isPadded(bytes, from, to);
      default -> !second && Ascii.isLetter(first) && inLetters(bytes, from, to);
    };
  }

  private boolean inBracket(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && Ascii.isLetter(bytes[end])) {
      end++;
    }
    if (end < to && Level.of(bytes, from, end) != null) {
      return bytes[end] == ']' || isBlank(bytes[end]);
    }
    if (times.read(bytes, from, to, 0)) {
      return true;
    }
    int close = Ascii.find(bytes, from, Math.min(to, from + LOOK), ']');
    int at = close < 0 ? to : Ascii.skipBlanks(bytes, close + 1, to);
    return at < to && Ascii.isUpper(bytes[at]) && isLevelThen(bytes, at, to);
  }

  /** A level that was padded on its left: {@code " INFO 12 --- "}. */
  private static boolean isPadded(byte[] bytes, int from, int to) {
    return from + 1 < to && Ascii.isUpper(bytes[from + 1]) && isLevelThen(bytes, from + 1, to);
  }

  /** Whether a level stands here, with a blank behind it. */
  private static boolean isLevelThen(byte[] bytes, int from, int to) {
    int end = Ascii.wordEnd(bytes, from, to);
    return end < to && Level.of(bytes, from, end) != null;
  }

  private boolean inLetters(byte[] bytes, int from, int to) {
    if (KlogLayout.begins(bytes, from, to) != null) {
      return true;
    }
    int end = from;
    while (end < to && Ascii.isLetter(bytes[end])) {
      end++;
    }
    if (end < to && Level.of(bytes, from, end) != null) {
      byte after = bytes[end];
      return after == ':' || (isBlank(after) && Ascii.isUpper(bytes[from]));
    }
    if (end - from == 3 && times.read(bytes, from, to, 0)) {
      line.set(bytes, from, to, 0);
      halfway = JulLayout.isHead(line);
      line.clear();
      return true;
    }
    return isLogfmt(bytes, from, to);
  }

  private static boolean isLogfmt(byte[] bytes, int from, int to) {
    int equals = LogfmtLayout.keyEnd(bytes, from, to);
    if (equals < 0 || equals - from > 10) {
      return false;
    }
    return switch (Field.of(new String(bytes, from, equals - from, StandardCharsets.US_ASCII))) {
      case TIME, LEVEL, MESSAGE -> true;
      default -> false;
    };
  }

  /** An address, two words, and a time in brackets. */
  private static boolean isAccess(byte[] bytes, int from, int to) {
    int bracket = Ascii.find(bytes, from, Math.min(to, from + LOOK), '[');
    return bracket > 0
        && bracket + 21 < to
        && bytes[bracket + 3] == '/'
        && bytes[bracket + 7] == '/'
        && bytes[bracket + 12] == ':';
  }
}
