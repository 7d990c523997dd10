/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attributes as OTLP has them, from the JSON that the store keeps. */
final class AttributeMessages {
  private static final JsonFactory JSON = new JsonFactory();

  private AttributeMessages() {}

  /**
   * The attributes.
   *
   * @param json an object
   */
  static List<KeyValue> of(@Nullable String json) throws IOException {
    if (json == null) {
      return List.of();
    }
    try (JsonParser in = JSON.createParser(json)) {
      in.nextToken();
      return members(in);
    }
  }

  private static List<KeyValue> members(JsonParser in) throws IOException {
    List<KeyValue> members = new ArrayList<>();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      KeyValue.Builder member = KeyValue.newBuilder().setKey(in.currentName());
      in.nextToken();
      members.add(member.setValue(value(in)).build());
    }
    return members;
  }

  /** What was written of bytes, or of a number that is none, stays the text that it became. */
  private static AnyValue value(JsonParser in) throws IOException {
    AnyValue.Builder value = AnyValue.newBuilder();
    return switch (in.currentToken()) {
      case VALUE_TRUE, VALUE_FALSE -> value.setBoolValue(in.getBooleanValue()).build();
      case VALUE_NUMBER_INT -> value.setIntValue(in.getLongValue()).build();
      case VALUE_NUMBER_FLOAT -> value.setDoubleValue(in.getDoubleValue()).build();
      case VALUE_NULL -> value.build();
      case START_OBJECT ->
          value.setKvlistValue(KeyValueList.newBuilder().addAllValues(members(in))).build();
      case START_ARRAY -> {
        ArrayValue.Builder elements = ArrayValue.newBuilder();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          elements.addValues(value(in));
        }
        yield value.setArrayValue(elements).build();
      }
      default -> value.setStringValue(in.getText()).build();
    };
  }
}
