/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as people write and read it: {@code 512}, {@code 100KiB}, {@code 64MiB}. */
record ByteSize(long bytes) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)?");
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  /** Reads what people write. */
  static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String value) {
      Matcher matcher = FORM.matcher(value);
      if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
        throw new TypeConversionException("'" + value + "' is not a size such as 512KiB or 64MiB");
      }
      String unit = matcher.group(2);
      int shift =
          switch (unit == null ? "B" : unit) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 0;
          };
      return new ByteSize(Long.parseLong(matcher.group(1)) << shift);
    }
  }

  @Override
  public String toString() {
    double amount = bytes;
    int unit = 0;
    while (amount >= 1024 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + (bytes == 1 ? " byte" : " bytes")
        : String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
