/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from OTLP's JSON: names in lowerCamelCase, ids in hexadecimal, enumerations as
 * numbers, 64-bit numbers as text or as numbers. Names that are not known are passed over, as the
 * specification demands.
 */
final class JsonReader {
  private static final JsonFactory JSON = new JsonFactory();

  /** Values may hold values; nobody means them to do so this often. */
  private static final int DEEPEST = 64;

  private static final Map<Descriptor, Map<String, FieldDescriptor>> FIELDS =
      new ConcurrentHashMap<>();

  private final JsonParser in;
  private int depth;

  private JsonReader(JsonParser in) {
    this.in = in;
  }

  static void read(byte[] bytes, Message.Builder message) throws MalformedException {
    try (JsonParser in = JSON.createParser(bytes)) {
      JsonReader reader = new JsonReader(in);
      in.nextToken();
      reader.object(message);
      if (in.nextToken() != null) {
        throw reader.malformed("something comes after the end");
      }
    } catch (MalformedException e) {
      throw e;
    } catch (IOException e) {
      throw new MalformedException("not JSON: " + e.getMessage(), e);
    }
  }

  private void object(Message.Builder message) throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw malformed("an object is expected for " + message.getDescriptorForType().getName());
    }
    if (++depth > DEEPEST) {
      throw malformed("nested deeper than " + DEEPEST);
    }
    Map<String, FieldDescriptor> fields = fields(message.getDescriptorForType());
    while (in.nextToken() != JsonToken.END_OBJECT) {
      FieldDescriptor field = fields.get(in.currentName());
      JsonToken token = in.nextToken();
      if (field == null) {
        in.skipChildren();
      } else if (token == JsonToken.VALUE_NULL) {
        message.clearField(field);
      } else if (field.isRepeated()) {
        array(message, field);
      } else {
        message.setField(field, value(message, field));
      }
    }
    depth--;
  }

  private void array(Message.Builder message, FieldDescriptor field) throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw malformed("an array is expected");
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      message.addRepeatedField(field, value(message, field));
    }
  }

  private Object value(Message.Builder parent, FieldDescriptor field) throws IOException {
    return switch (field.getJavaType()) {
      case MESSAGE -> {
        Message.Builder message = parent.newBuilderForField(field);
        object(message);
        yield message.build();
      }
      case STRING -> text();
      case BOOLEAN ->
          switch (in.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw malformed("true or false is expected");
          };
      case ENUM -> {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
          throw malformed("the number of a " + field.getEnumType().getName() + " is expected");
        }
        yield field.getEnumType().findValueByNumberCreatingIfUnknown(in.getIntValue());
      }
      case INT -> (int) number(field);
      case LONG -> number(field);
      case FLOAT -> (float) real();
      case DOUBLE -> real();
      case BYTE_STRING -> bytes(field);
    };
  }

  private String text() throws IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw malformed("text is expected");
    }
    return in.getText();
  }

  private long number(FieldDescriptor field) throws IOException {
    JsonToken token = in.currentToken();
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_STRING) {
      throw malformed("a whole number is expected");
    }
    boolean wide = field.getJavaType() == FieldDescriptor.JavaType.LONG;
    String digits = in.getText();
    try {
      if (JsonWriter.isUnsigned(field)) {
        return wide ? Long.parseUnsignedLong(digits) : Integer.parseUnsignedInt(digits);
      }
      return wide ? Long.parseLong(digits) : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw malformed("not a number of the kind: " + shortened(digits));
    }
  }

  private double real() throws IOException {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
      return in.getDoubleValue();
    }
    String text = text();
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw malformed("not a number: " + shortened(text));
    }
  }

  private ByteString bytes(FieldDescriptor field) throws IOException {
    String text = text();
    try {
      return ByteString.copyFrom(
          Ids.isId(field) ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      String kind = Ids.isId(field) ? "hexadecimal" : "base64";
      throw malformed("not " + kind + ": " + shortened(text));
    }
  }

  private MalformedException malformed(String what) {
    String path = in.getParsingContext().pathAsPointer().toString();
    return new MalformedException(
        "at " + (path.isEmpty() ? "the beginning" : shortened(path)) + ": " + what);
  }

  private static String shortened(@Nullable String text) {
    String whole = String.valueOf(text);
    return whole.length() <= 200 ? whole : whole.substring(0, 200) + "…";
  }

  private static Map<String, FieldDescriptor> fields(Descriptor descriptor) {
    return FIELDS.computeIfAbsent(
        descriptor,
        fresh -> {
          Map<String, FieldDescriptor> byName = new HashMap<>();
          fresh.getFields().forEach(field -> byName.put(field.getJsonName(), field));
          return byName;
        });
  }
}
