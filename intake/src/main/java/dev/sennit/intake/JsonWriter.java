/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Writes messages as OTLP's JSON. */
final class JsonWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonWriter() {}

  static byte[] write(Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      write(message, out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(Message message, JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      out.writeFieldName(field.getJsonName());
      if (field.isRepeated()) {
        out.writeStartArray();
        for (Object element : (List<?>) entry.getValue()) {
          write(field, element, out);
        }
        out.writeEndArray();
      } else {
        write(field, entry.getValue(), out);
      }
    }
    out.writeEndObject();
  }

  private static void write(FieldDescriptor field, Object value, JsonGenerator out)
      throws IOException {
    switch (field.getJavaType()) {
      case MESSAGE -> write((Message) value, out);
      case STRING -> out.writeString((String) value);
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case ENUM -> out.writeNumber(((EnumValueDescriptor) value).getNumber());
      case FLOAT, DOUBLE -> out.writeNumber(((Number) value).doubleValue());
      case INT -> {
        int number = (Integer) value;
        out.writeNumber(isUnsigned(field) ? Integer.toUnsignedLong(number) : number);
      }
      case LONG -> {
        long number = (Long) value;
        out.writeString(isUnsigned(field) ? Long.toUnsignedString(number) : Long.toString(number));
      }
      case BYTE_STRING -> {
        byte[] bytes = ((ByteString) value).toByteArray();
        out.writeString(
            Ids.isId(field)
                ? HexFormat.of().formatHex(bytes)
                : Base64.getEncoder().encodeToString(bytes));
      }
    }
  }

  static boolean isUnsigned(FieldDescriptor field) {
    return switch (field.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }
}
