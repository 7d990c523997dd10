/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Numbers with their units as options have them: {@code 10ms}, {@code 512k}. */
final class Quantity {
  private static final Map<String, Long> TIMES =
      Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "min", 60_000_000_000L);
  private static final Map<String, Long> SIZES =
      Map.of("b", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30);

  private Quantity() {}

  /**
   * A time in nanoseconds.
   *
   * @param plainUnit what a number without a unit counts
   * @throws IllegalArgumentException naming the option and its value
   */
  static long nanos(String option, String value, String plainUnit) {
    return parse(option, value, TIMES, plainUnit, "a time such as 10ms (ns, us, ms, s, min)");
  }

  /**
   * A number of bytes.
   *
   * @throws IllegalArgumentException naming the option and its value
   */
  static long bytes(String option, String value) {
    return parse(option, value, SIZES, "b", "a size such as 512k (k, m, g)");
  }

  /** A time as options have it, in the largest unit that fits. */
  static String time(long nanos) {
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + "s";
    }
    if (nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + "ms";
    }
    return nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
  }

  static String time(Duration duration) {
    return time(duration.toNanos());
  }

  /** A size as options have it, in the largest unit that fits. */
  static String size(long bytes) {
    if (bytes != 0 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "m";
    }
    return bytes != 0 && bytes % (1 << 10) == 0 ? (bytes >> 10) + "k" : Long.toString(bytes);
  }

  private static long parse(
      String option, String value, Map<String, Long> units, String plainUnit, String expected) {
    int digits = 0;
    while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
      digits++;
    }
    String unit = digits == value.length() ? plainUnit : value.substring(digits);
    Long factor = units.get(unit.toLowerCase(Locale.ROOT));
    if (digits > 0 && factor != null) {
      try {
        long result = Math.multiplyExact(Long.parseLong(value.substring(0, digits)), factor);
        if (result > 0) {
          return result;
        }
      } catch (NumberFormatException | ArithmeticException e) {
        throw new IllegalArgumentException(option + "=" + value + " is too large", e);
      }
    }
    throw new IllegalArgumentException(option + "=" + value + " is not " + expected);
  }
}
