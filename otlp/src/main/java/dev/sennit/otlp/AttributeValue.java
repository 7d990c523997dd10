/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.util.List;

/** The value of a resource attribute: the kinds of {@code AnyValue} that resources use. */
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

  static AttributeValue of(List<AttributeValue> values) {
    return new Array(values);
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
}
