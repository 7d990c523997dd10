/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value of an attribute: one of the kinds that OpenTelemetry's {@code AnyValue} has. */
public sealed interface AttributeValue {
  static AttributeValue of(String value) {
    return new Text(value);
  }

  static AttributeValue of(boolean value) {
    return new Flag(value);
  }

  static AttributeValue of(long value) {
    return new Whole(value);
  }

  static AttributeValue of(double value) {
    return new Real(value);
  }

  static AttributeValue of(byte[] value) {
    return new Bytes(value);
  }

  static AttributeValue of(List<AttributeValue> values) {
    return new Array(values);
  }

  static AttributeValue of(Map<String, AttributeValue> entries) {
    return new Entries(entries);
  }

  /** An array of strings, the most common array. */
  static AttributeValue ofStrings(List<String> values) {
    return new Array(values.stream().map(AttributeValue::of).toList());
  }

  /** {@code string_value}. */
  record Text(String value) implements AttributeValue {}

  /** {@code bool_value}. */
  record Flag(boolean value) implements AttributeValue {}

  /** {@code int_value}. */
  record Whole(long value) implements AttributeValue {}

  /** {@code double_value}. */
  record Real(double value) implements AttributeValue {}

  /** {@code array_value}. */
  record Array(List<AttributeValue> values) implements AttributeValue {
    public Array {
      values = List.copyOf(values);
    }
  }

  /** {@code kvlist_value}; the order is kept. */
  record Entries(Map<String, AttributeValue> entries) implements AttributeValue {
    public Entries {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
  }

  /** {@code bytes_value}; equal by content. */
  final class Bytes implements AttributeValue {
    private final byte[] value;

    private Bytes(byte[] value) {
      this.value = value.clone();
    }

    public byte[] value() {
      return value.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Bytes[" + value.length + "]";
    }
  }

  /** A value that was set to nothing; readers meet it, publishers have no use for it. */
  record Empty() implements AttributeValue {}
}
