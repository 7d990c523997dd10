/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import static dev.sennit.otlp.ProtobufEncoder.sizeOfFixed64Field;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfLengthDelimited;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfString;
import static dev.sennit.otlp.ProtobufEncoder.sizeOfVarintField;

/** Attributes in protobuf: the message {@code KeyValue} and the values in it, by their sizes. */
public final class AttributeMessages {
  /** Fields of {@code opentelemetry.proto.common.v1}. */
  private static final class Field {
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int STRING_VALUE = 1;
    static final int BOOL_VALUE = 2;
    static final int INT_VALUE = 3;
    static final int DOUBLE_VALUE = 4;
    static final int ARRAY_VALUE = 5;
    static final int VALUES = 1;
  }

  private AttributeMessages() {}

  /** Writes an attribute as a field of the message around it. */
  public static void write(ProtobufEncoder out, int field, String key, AttributeValue value) {
    long size = sizeOf(value);
    out.writeLengthDelimited(
        field, sizeOfString(Field.KEY, key) + sizeOfLengthDelimited(Field.VALUE, size));
    out.writeString(Field.KEY, key);
    out.writeLengthDelimited(Field.VALUE, size);
    write(out, value);
  }

  private static void write(ProtobufEncoder out, AttributeValue value) {
    switch (value) {
      case AttributeValue.Text(String text) -> out.writeString(Field.STRING_VALUE, text);
      case AttributeValue.Flag(boolean flag) -> out.writeBoolField(Field.BOOL_VALUE, flag);
      case AttributeValue.Whole(long number) -> out.writeVarintField(Field.INT_VALUE, number);
      case AttributeValue.Real(double real) -> out.writeDoubleField(Field.DOUBLE_VALUE, real);
      case AttributeValue.Array array -> {
        out.writeLengthDelimited(Field.ARRAY_VALUE, sizeOfElements(array));
        for (AttributeValue element : array.values()) {
          out.writeLengthDelimited(Field.VALUES, sizeOf(element));
          write(out, element);
        }
      }
    }
  }

  private static long sizeOf(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> sizeOfString(Field.STRING_VALUE, text);
      case AttributeValue.Flag flag -> sizeOfVarintField(Field.BOOL_VALUE, 1);
      case AttributeValue.Whole(long number) -> sizeOfVarintField(Field.INT_VALUE, number);
      case AttributeValue.Real real -> sizeOfFixed64Field(Field.DOUBLE_VALUE);
      case AttributeValue.Array array ->
          sizeOfLengthDelimited(Field.ARRAY_VALUE, sizeOfElements(array));
    };
  }

  private static long sizeOfElements(AttributeValue.Array array) {
    long size = 0;
    for (AttributeValue element : array.values()) {
      size += sizeOfLengthDelimited(Field.VALUES, sizeOf(element));
    }
    return size;
  }
}
