/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.process.AttributeValue;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;
import java.util.Map;

/** Attributes as the SDK has them; not every value of OTLP is one. */
final class SdkAttributes {
  private SdkAttributes() {}

  /**
   * @throws IllegalArgumentException if the SDK has no such value
   */
  static Attributes of(Map<String, AttributeValue> attributes) {
    AttributesBuilder builder = Attributes.builder();
    attributes.forEach((key, value) -> put(builder, key, value));
    return builder.build();
  }

  private static void put(AttributesBuilder builder, String key, AttributeValue value) {
    switch (value) {
      case AttributeValue.Text(String text) -> builder.put(key, text);
      case AttributeValue.Flag(boolean flag) -> builder.put(key, flag);
      case AttributeValue.Whole(long whole) -> builder.put(key, whole);
      case AttributeValue.Real(double real) -> builder.put(key, real);
      case AttributeValue.Array(List<AttributeValue> values) -> putArray(builder, key, values);
      case AttributeValue.Entries _, AttributeValue.Bytes _, AttributeValue.Empty _ ->
          throw new IllegalArgumentException(key + ": the SDK has no attribute like " + value);
    }
  }

  private static void putArray(AttributesBuilder builder, String key, List<AttributeValue> values) {
    List<Object> contents = values.stream().map(SdkAttributes::content).toList();
    if (contents.stream().allMatch(String.class::isInstance)) {
      builder.put(AttributeKey.stringArrayKey(key), listOf(String.class, contents));
    } else if (contents.stream().allMatch(Boolean.class::isInstance)) {
      builder.put(AttributeKey.booleanArrayKey(key), listOf(Boolean.class, contents));
    } else if (contents.stream().allMatch(Long.class::isInstance)) {
      builder.put(AttributeKey.longArrayKey(key), listOf(Long.class, contents));
    } else if (contents.stream().allMatch(Double.class::isInstance)) {
      builder.put(AttributeKey.doubleArrayKey(key), listOf(Double.class, contents));
    } else {
      throw new IllegalArgumentException(key + ": the SDK has no array like " + values);
    }
  }

  private static Object content(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> text;
      case AttributeValue.Flag(boolean flag) -> flag;
      case AttributeValue.Whole(long whole) -> whole;
      case AttributeValue.Real(double real) -> real;
      default -> value;
    };
  }

  private static <T> List<T> listOf(Class<T> type, List<Object> contents) {
    return contents.stream().map(type::cast).toList();
  }
}
