/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

/**
 * Text as it may go to a terminal. What other processes call themselves is theirs to choose, and a
 * terminal obeys the control characters in it: here they are spelled out instead.
 */
final class Printable {
  private Printable() {}

  static String of(String text) {
    if (text.codePoints().allMatch(Printable::isHarmless)) {
      return text;
    }
    StringBuilder spelled = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            character -> {
              if (isHarmless(character)) {
                spelled.appendCodePoint(character);
              } else {
                spelled.append(
                    String.format(character > 0xFFFF ? "\\U%08x" : "\\u%04x", character));
              }
            });
    return spelled.toString();
  }

  /** The same, cut to {@code length} characters. */
  static String of(String text, int length) {
    String printable = of(text);
    return printable.codePointCount(0, printable.length()) <= length
        ? printable
        : printable.substring(0, printable.offsetByCodePoints(0, length - 1)) + "…";
  }

  /** Neither a control nor an invisible character that changes the order or the lines of others. */
  private static boolean isHarmless(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
