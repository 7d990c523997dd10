/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether bytes are a message that others can read, by walking over them: to make objects of all
 * that is in a request costs several times as much, and nobody here needs them.
 */
final class WireCheck {
  /** Half of what protobuf's own readers take. */
  private static final int DEEPEST = 50;

  /** What the fields of a kind of message are, by their numbers. */
  private static final class Shape {
    private final @Nullable Shape[] messages;
    private final boolean[] texts;

    Shape(int fields) {
      messages = new Shape[fields];
      texts = new boolean[fields];
    }
  }

  private final Shape root;

  WireCheck(Descriptor message) {
    root = shape(message, new HashMap<>());
  }

  /** Messages may be inside of their own kind. */
  private static Shape shape(Descriptor message, Map<Descriptor, Shape> known) {
    Shape seen = known.get(message);
    if (seen != null) {
      return seen;
    }
    int most = message.getFields().stream().mapToInt(FieldDescriptor::getNumber).max().orElse(0);
    Shape shape = new Shape(most + 1);
    known.put(message, shape);
    for (FieldDescriptor field : message.getFields()) {
      switch (field.getJavaType()) {
        case MESSAGE -> shape.messages[field.getNumber()] = shape(field.getMessageType(), known);
        case STRING -> shape.texts[field.getNumber()] = true;
        default -> {}
      }
    }
    return shape;
  }

  /** False also in doubt: then reading it tells what is wrong, if something is. */
  boolean isReadable(byte[] message) {
    try {
      return isReadable(message, CodedInputStream.newInstance(message), root, 0);
    } catch (IOException torn) {
      return false;
    }
  }

  private static boolean isReadable(byte[] bytes, CodedInputStream in, Shape shape, int depth)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      switch (WireFormat.getTagWireType(tag)) {
        case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          int length = in.readRawVarint32();
          int begin = in.getTotalBytesRead();
          boolean known = number < shape.texts.length;
          Shape inner = known ? shape.messages[number] : null;
          if (inner == null) {
            in.skipRawBytes(length);
            if (known && shape.texts[number] && !isText(bytes, begin, length)) {
              return false;
            }
          } else {
            int outer = in.pushLimit(length);
            if (depth == DEEPEST || !isReadable(bytes, in, inner, depth + 1)) {
              return false;
            }
            in.popLimit(outer);
          }
        }
        case WireFormat.WIRETYPE_START_GROUP, WireFormat.WIRETYPE_END_GROUP -> {
          return false;
        }
        default -> in.skipField(tag);
      }
    }
    return true;
  }

  private static boolean isText(byte[] bytes, int begin, int length) {
    int or = 0;
    for (int i = begin; i < begin + length; i++) {
      or |= bytes[i];
    }
    return or >= 0 || UnsafeByteOperations.unsafeWrap(bytes, begin, length).isValidUtf8();
  }
}
