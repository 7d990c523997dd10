/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.List;
import java.util.stream.Stream;

/**
 * How thread contexts are stored, fixed when {@link ContextApi} is initialised.
 *
 * @param mode option {@code ctxstorage}
 * @param capacity slots of the ring in mode {@code otel}; option {@code ctxcapacity}
 * @param attributeKeys keys announced from the start; option {@code attributes}, separated by
 *     semicolons
 * @param schemaVersion what mode {@code otep} announces as {@code threadlocal.schema_version};
 *     option {@code ctxschema}
 */
public record ContextOptions(
    ContextStorageMode mode, int capacity, List<String> attributeKeys, String schemaVersion) {

  /** Slots of a ring that nobody sized: 2 MiB of them. */
  public static final int DEFAULT_CAPACITY = 65_536;

  /** The largest {@code pid_max} of Linux: with so many slots no two tids share one. */
  public static final int MAX_CAPACITY = 1 << 22;

  /** What readers of OTEP 4947 know today; the OTEP announces {@code tls_v1} for later. */
  public static final String DEFAULT_SCHEMA_VERSION = "tlsdesc_v1_dev";

  public ContextOptions {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "ctxcapacity=" + capacity + " is not between 1 and " + MAX_CAPACITY);
    }
    if (schemaVersion.isEmpty()) {
      throw new IllegalArgumentException("ctxschema must not be empty");
    }
    attributeKeys = List.copyOf(attributeKeys);
  }

  /** The defaults of everything but the mode. */
  public static ContextOptions of(ContextStorageMode mode) {
    return new ContextOptions(mode, DEFAULT_CAPACITY, List.of(), DEFAULT_SCHEMA_VERSION);
  }

  ContextOptions withMode(ContextStorageMode other) {
    return new ContextOptions(other, capacity, attributeKeys, schemaVersion);
  }

  public ContextOptions withCapacity(int slots) {
    return new ContextOptions(mode, slots, attributeKeys, schemaVersion);
  }

  public ContextOptions withAttributeKeys(String... keys) {
    return new ContextOptions(mode, capacity, List.of(keys), schemaVersion);
  }

  /**
   * Takes what concerns contexts from profiler options such as {@code
   * start,cpu=1ms,ctxstorage=otel}; the other options are for others to read.
   *
   * @throws IllegalArgumentException naming the option, its value and the right ones
   */
  public static ContextOptions parse(String options) {
    ContextOptions result = of(ContextStorageMode.PROFILER);
    for (String option : options.split(",", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      String value = equals < 0 ? "" : option.substring(equals + 1);
      result =
          switch (name) {
            case "ctxstorage" ->
                new ContextOptions(
                    ContextStorageMode.parse(value),
                    result.capacity,
                    result.attributeKeys,
                    result.schemaVersion);
            case "ctxcapacity" -> result.withCapacity(parseCapacity(value));
            case "attributes" ->
                result.withAttributeKeys(
                    Stream.of(value.split(";", -1))
                        .filter(key -> !key.isEmpty())
                        .toArray(String[]::new));
            case "ctxschema" ->
                new ContextOptions(result.mode, result.capacity, result.attributeKeys, value);
            default -> result;
          };
    }
    return result;
  }

  /** These options as {@link #parse} reads them. */
  String text() {
    return "ctxstorage="
        + mode.optionValue()
        + ",ctxcapacity="
        + capacity
        + ",attributes="
        + String.join(";", attributeKeys)
        + ",ctxschema="
        + schemaVersion;
  }

  private static int parseCapacity(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "ctxcapacity=" + value + " is not a number between 1 and " + MAX_CAPACITY, e);
    }
  }
}
