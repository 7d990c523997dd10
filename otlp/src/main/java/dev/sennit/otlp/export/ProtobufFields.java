/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads protobuf field by field: the few that the answers of collectors have. */
final class ProtobufFields {
  private final byte[] bytes;
  private final int end;
  private int position;
  private int field;
  private int contentEnd;
  private long value;

  ProtobufFields(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.position = start;
    this.contentEnd = start;
    this.end = end;
  }

  /** Goes to the next field; false if there is none. */
  boolean next() throws IOException {
    position = contentEnd;
    if (position == end) {
      return false;
    }
    int tag = (int) varint();
    field = tag >>> 3;
    long length =
        switch (tag & 7) {
          case 0 -> {
            value = varint();
            yield 0;
          }
          case 1 -> Long.BYTES;
          case 2 -> varint();
          case 5 -> Integer.BYTES;
          default -> throw new IOException("wire type " + (tag & 7) + " before byte " + position);
        };
    if (length < 0 || length > end - position) {
      throw new IOException("field " + field + " at byte " + position + " has length " + length);
    }
    contentEnd = position + (int) length;
    return true;
  }

  int field() {
    return field;
  }

  long number() {
    return value;
  }

  String text() {
    return new String(bytes, position, contentEnd - position, StandardCharsets.UTF_8);
  }

  ProtobufFields message() {
    return new ProtobufFields(bytes, position, contentEnd);
  }

  private long varint() throws IOException {
    long result = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (position == end) {
        break;
      }
      byte b = bytes[position++];
      result |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return result;
      }
    }
    throw new IOException("a number ends too early or is too long at byte " + position);
  }
}
