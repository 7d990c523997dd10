/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Locale;
import java.util.Map;

/** A number in the settings of a recorder: {@code 20 ms}, {@code 512k}, or a plain number. */
final class SettingValue {
  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L,
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "k", 1L << 10);

  private SettingValue() {}

  /** The value in nanoseconds or bytes; 0 if it is no such number. */
  static long parse(String text) {
    String trimmed = text.strip();
    int digits = 0;
    while (digits < trimmed.length() && Character.isDigit(trimmed.charAt(digits))) {
      digits++;
    }
    Long unit = UNITS.get(trimmed.substring(digits).strip().toLowerCase(Locale.ROOT));
    if (digits == 0 || digits > 18 || unit == null) {
      return 0;
    }
    try {
      return Math.multiplyExact(Long.parseLong(trimmed, 0, digits, 10), unit);
    } catch (ArithmeticException e) {
      return 0;
    }
  }
}
