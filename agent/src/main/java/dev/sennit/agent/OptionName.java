/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options that a command may have, and what the value of each looks like. */
enum OptionName {
  START("", false),
  STOP("", false),
  DUMP("", false),
  STATUS("", false),
  ENGINE("auto|async|jfr", true),
  CPU("[10ms]", true),
  INTERVAL("10ms", true),
  WALL("[50ms]", true),
  ALLOC("[512k]", true),
  LIVE("[true|false]", true),
  LOCK("[10us]", true),
  NATIVEMEM("[512k]", true),
  CTXSTORAGE("profiler|otel|otep", true),
  CTXCAPACITY("65536", true),
  CTXSCHEMA("tlsdesc_v1_dev", true),
  ATTRIBUTES("key;key", true),
  HANDOFF("[all|none|executor;future]", true),
  INBOUND("SOCKET", true),
  TLS("on|off", true),
  JFR("", false),
  FILE("PATH", true),
  OTLP("[URL]", true),
  SHAPE("timestamps|aggregated", true),
  CHUNKTIME("60s", true);

  private final String value;
  private final boolean setting;

  OptionName(String value, boolean setting) {
    this.value = value;
    this.setting = setting;
  }

  /** The name as it is written. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it may also be a system property or an environment variable. */
  boolean isSetting() {
    return setting;
  }

  boolean needsValue() {
    return !value.isEmpty() && !value.startsWith("[");
  }

  boolean allowsValue() {
    return !value.isEmpty();
  }

  String property() {
    return this == SHAPE ? "sennit.otlp.shape" : "sennit." + text();
  }

  String variable() {
    return property().replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * The option of a name.
   *
   * @throws IllegalArgumentException naming the nearest one, and all
   */
  static OptionName of(String text) {
    for (OptionName name : values()) {
      if (name.text().equals(text)) {
        return name;
      }
    }
    OptionName nearest = nearest(text);
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not an option"
            + (nearest == null ? "" : "; did you mean '" + nearest.text() + "'?")
            + " Options are "
            + Arrays.stream(values()).map(OptionName::usage).collect(Collectors.joining(", ")));
  }

  private String usage() {
    if (value.isEmpty()) {
      return text();
    }
    return value.startsWith("[") ? text() + "[=" + value.substring(1) : text() + "=" + value;
  }

  private static @Nullable OptionName nearest(String text) {
    OptionName nearest = null;
    int best = Math.max(2, text.length() / 2) + 1;
    for (OptionName name : values()) {
      int distance = distance(text.toLowerCase(Locale.ROOT), name.text());
      if (distance < best) {
        best = distance;
        nearest = name;
      }
    }
    return nearest;
  }

  /** How many letters must be put, taken away or changed to make one text the other. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int above = row[j];
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[other.length()];
  }
}
