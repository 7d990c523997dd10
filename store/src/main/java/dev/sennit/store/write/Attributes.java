/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Single attributes that have columns of their own. */
final class Attributes {
  private Attributes() {}

  static @Nullable String text(List<KeyValue> attributes, String key) {
    @Nullable AnyValue value = find(attributes, key);
    return value == null ? null : AttributesJson.text(value);
  }

  /** Null if it is not there, or not a whole number. */
  static @Nullable Long number(List<KeyValue> attributes, String key) {
    @Nullable AnyValue value = find(attributes, key);
    return value == null ? null : number(value);
  }

  static @Nullable Long number(AnyValue value) {
    if (value.hasIntValue()) {
      return value.getIntValue();
    }
    try {
      return value.hasStringValue() ? Long.valueOf(value.getStringValue()) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable AnyValue find(List<KeyValue> attributes, String key) {
    for (KeyValue attribute : attributes) {
      if (attribute.getKey().equals(key)) {
        return attribute.getValue();
      }
    }
    return null;
  }
}
