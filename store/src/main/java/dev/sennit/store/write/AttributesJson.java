/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attributes as one object of JSON, so that numbers stay numbers and lists stay lists. */
final class AttributesJson {
  private static final JsonFactory JSON = new JsonFactory();

  private AttributesJson() {}

  /** Null if there are none. */
  static @Nullable String of(List<KeyValue> attributes) {
    return attributes.isEmpty() ? null : write(json -> object(attributes, json));
  }

  /** The same, in the order of the keys, so that equal attributes give equal text. */
  static @Nullable String sorted(List<KeyValue> attributes) {
    return of(attributes.stream().sorted(Comparator.comparing(KeyValue::getKey)).toList());
  }

  /** A value as text: what is text as it is, everything else as JSON. Null if there is none. */
  static @Nullable String text(AnyValue value) {
    return switch (value.getValueCase()) {
      case VALUE_NOT_SET -> null;
      case STRING_VALUE -> value.getStringValue();
      default -> write(json -> value(value, json));
    };
  }

  /** What writes a part of a document. */
  @FunctionalInterface
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  private static String write(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return text.toString();
  }

  private static void object(List<KeyValue> members, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (KeyValue member : members) {
      json.writeFieldName(member.getKey());
      value(member.getValue(), json);
    }
    json.writeEndObject();
  }

  private static void value(AnyValue value, JsonGenerator json) throws IOException {
    switch (value.getValueCase()) {
      case STRING_VALUE -> json.writeString(value.getStringValue());
      case BOOL_VALUE -> json.writeBoolean(value.getBoolValue());
      case INT_VALUE -> json.writeNumber(value.getIntValue());
      // NaN and the infinities are written as text, for JSON has no numbers for them.
      case DOUBLE_VALUE -> json.writeNumber(value.getDoubleValue());
      case ARRAY_VALUE -> {
        json.writeStartArray();
        for (AnyValue element : value.getArrayValue().getValuesList()) {
          value(element, json);
        }
        json.writeEndArray();
      }
      case KVLIST_VALUE -> object(value.getKvlistValue().getValuesList(), json);
      case BYTES_VALUE ->
          json.writeString(Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
      // An index is for profiles alone; elsewhere it counts as absent.
      case STRING_VALUE_STRINDEX, VALUE_NOT_SET -> json.writeNull();
    }
  }
}
