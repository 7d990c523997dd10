/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench;

/** The one option of a program here: a number by its name, or the default. */
public record NumberOption(String name, int smallest, int defaultValue) {
  /** The number in {@code arguments}; ends the program with status 2 if they are not understood. */
  public int parse(String... arguments) {
    if (arguments.length == 0) {
      return defaultValue;
    }
    try {
      if (arguments.length == 2 && arguments[0].equals(name)) {
        int value = Integer.parseInt(arguments[1]);
        if (value >= smallest) {
          return value;
        }
      }
    } catch (NumberFormatException e) {
      // Said below, with all else that is wrong.
    }
    System.err.printf(
        "unknown: %s; there is %s N, with N of at least %d, by default %d%n",
        String.join(" ", arguments), name, smallest, defaultValue);
    System.exit(2);
    throw new AssertionError("unreachable");
  }
}
