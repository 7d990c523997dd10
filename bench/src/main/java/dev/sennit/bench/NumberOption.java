/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** An option of a program here: a number by its name, or the default. */
public record NumberOption(String name, int smallest, int defaultValue) {
  /** The number in {@code arguments}; ends the program with status 2 if they are not understood. */
  public int parse(String... arguments) {
    return parse(arguments, this).getOrDefault(this, defaultValue);
  }

  /** As above, where a program has several options; those not given have their defaults. */
  public static Map<NumberOption, Integer> parse(String[] arguments, NumberOption... options) {
    Map<NumberOption, Integer> values = new HashMap<>();
    for (NumberOption option : options) {
      values.put(option, option.defaultValue);
    }
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length || !put(values, arguments[i], arguments[i + 1])) {
        System.err.printf(
            "unknown: %s; there is %s%n",
            String.join(" ", arguments),
            Arrays.stream(options).map(NumberOption::describe).collect(Collectors.joining("; ")));
        System.exit(2);
      }
    }
    return values;
  }

  private static boolean put(Map<NumberOption, Integer> values, String name, String text) {
    try {
      int value = Integer.parseInt(text);
      for (NumberOption option : values.keySet()) {
        if (option.name.equals(name) && value >= option.smallest) {
          values.put(option, value);
          return true;
        }
      }
    } catch (NumberFormatException e) {
      // Said by the caller, with all else that is wrong.
    }
    return false;
  }

  private String describe() {
    return name + " N, with N of at least " + smallest + ", by default " + defaultValue;
  }
}
