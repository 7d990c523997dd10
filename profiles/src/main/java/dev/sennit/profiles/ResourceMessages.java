/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfFixed64Field;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfString;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfVarintField;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.proto.OtlpProtoFields.AnyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.ArrayValue;
import dev.sennit.profiles.proto.OtlpProtoFields.InstrumentationScope;
import dev.sennit.profiles.proto.OtlpProtoFields.KeyValue;
import dev.sennit.profiles.proto.OtlpProtoFields.Resource;
import java.util.Map;

/** Resource and scope in protobuf; they are small and written by way of a buffer of their own. */
final class ResourceMessages {
  private ResourceMessages() {}

  static ProtobufEncoder resource(Map<String, AttributeValue> attributes) {
    ProtobufEncoder out = new ProtobufEncoder();
    attributes.forEach(
        (key, value) -> {
          int start = out.beginMessage(Resource.ATTRIBUTES);
          out.writeString(KeyValue.KEY, key);
          out.writeLengthDelimited(KeyValue.VALUE, sizeOf(value));
          write(out, value);
          out.endMessage(start);
        });
    return out;
  }

  static ProtobufEncoder scope(String name, String version) {
    ProtobufEncoder out = new ProtobufEncoder();
    if (!name.isEmpty()) {
      out.writeString(InstrumentationScope.NAME, name);
    }
    if (!version.isEmpty()) {
      out.writeString(InstrumentationScope.VERSION, version);
    }
    return out;
  }

  private static void write(ProtobufEncoder out, AttributeValue value) {
    switch (value) {
      case AttributeValue.Text(String text) -> out.writeString(AnyValue.STRING_VALUE, text);
      case AttributeValue.Flag(boolean flag) -> out.writeBoolField(AnyValue.BOOL_VALUE, flag);
      case AttributeValue.Whole(long number) -> out.writeVarintField(AnyValue.INT_VALUE, number);
      case AttributeValue.Real(double real) -> out.writeDoubleField(AnyValue.DOUBLE_VALUE, real);
      case AttributeValue.Array array -> {
        out.writeLengthDelimited(AnyValue.ARRAY_VALUE, sizeOfElements(array));
        for (AttributeValue element : array.values()) {
          out.writeLengthDelimited(ArrayValue.VALUES, sizeOf(element));
          write(out, element);
        }
      }
    }
  }

  private static long sizeOf(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> sizeOfString(AnyValue.STRING_VALUE, text);
      case AttributeValue.Flag flag -> sizeOfVarintField(AnyValue.BOOL_VALUE, 1);
      case AttributeValue.Whole(long number) -> sizeOfVarintField(AnyValue.INT_VALUE, number);
      case AttributeValue.Real real -> sizeOfFixed64Field(AnyValue.DOUBLE_VALUE);
      case AttributeValue.Array array ->
          sizeOfLengthDelimited(AnyValue.ARRAY_VALUE, sizeOfElements(array));
    };
  }

  private static long sizeOfElements(AttributeValue.Array array) {
    long size = 0;
    for (AttributeValue element : array.values()) {
      size += sizeOfLengthDelimited(ArrayValue.VALUES, sizeOf(element));
    }
    return size;
  }
}
