/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code sennit convert} can write, and the file names that say so. */
enum OutputFormat {
  OTLP("otlp"),
  JSON("json"),
  JSON_PRETTY("json-pretty"),
  COLLAPSED("collapsed"),
  PPROF("pprof"),
  SPEEDSCOPE("speedscope"),
  FLAMEGRAPH("flamegraph");

  private static final Map<String, OutputFormat> EXTENSIONS =
      Map.of(
          ".otlp", OTLP,
          ".pb", OTLP,
          ".json", JSON,
          ".collapsed", COLLAPSED,
          ".txt", COLLAPSED,
          ".pprof", PPROF,
          ".pb.gz", PPROF,
          ".speedscope.json", SPEEDSCOPE,
          ".html", FLAMEGRAPH);

  private final String optionValue;

  OutputFormat(String optionValue) {
    this.optionValue = optionValue;
  }

  String optionValue() {
    return optionValue;
  }

  /** The format of that name; null if there is none. */
  static @Nullable OutputFormat named(String name) {
    for (OutputFormat format : values()) {
      if (format.optionValue.equals(name)) {
        return format;
      }
    }
    return null;
  }

  /** The format that the end of a file's name asks for; null if it asks for none. */
  static @Nullable OutputFormat ofFile(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    // The longest wins: one may be the end of another.
    return EXTENSIONS.keySet().stream()
        .filter(lower::endsWith)
        .max(Comparator.comparingInt(String::length))
        .map(EXTENSIONS::get)
        .orElse(null);
  }

  static String names() {
    return Arrays.stream(values()).map(OutputFormat::optionValue).collect(Collectors.joining(", "));
  }
}
