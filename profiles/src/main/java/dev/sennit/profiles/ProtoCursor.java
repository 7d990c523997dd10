/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads one protobuf message, field by field, from bytes that nobody vouches for. It never looks
 * past the end of its message, and every complaint says in which message and at which offset.
 */
final class ProtoCursor {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH_DELIMITED = 2;
  private static final int START_GROUP = 3;
  private static final int FIXED32 = 5;
  private static final int MAX_VARINT_BYTES = 10;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String message;
  private final MemorySegment bytes;
  private final long start;
  private final long end;
  private long at;
  private int tag;

  ProtoCursor(String message, MemorySegment bytes) {
    this(message, bytes, 0, bytes.byteSize());
  }

  private ProtoCursor(String message, MemorySegment bytes, long start, long end) {
    this.message = message;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.at = start;
  }

  static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /** The same message from its beginning. */
  ProtoCursor again() {
    return new ProtoCursor(message, bytes, start, end);
  }

  long length() {
    return end - start;
  }

  /** All bytes of the message. */
  byte[] content() throws MalformedProfileException {
    if (length() > Integer.MAX_VALUE - 8) {
      throw malformed("a message of " + length() + " bytes is too long for what it is");
    }
    return bytes.asSlice(start, length()).toArray(ValueLayout.JAVA_BYTE);
  }

  boolean next() throws MalformedProfileException {
    if (at == end) {
      return false;
    }
    long value = varint();
    if (value >>> 3 == 0 || value >>> Integer.SIZE != 0) {
      throw malformed("field number " + Long.toUnsignedString(value >>> 3) + " does not exist");
    }
    tag = (int) value;
    return true;
  }

  /** Field number and wire type, as {@link #tag(int, int)} makes it. */
  int tag() {
    return tag;
  }

  boolean hasMore() {
    return at < end;
  }

  long varint() throws MalformedProfileException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (at == end) {
        throw malformed("a varint is cut off after " + i + " bytes");
      }
      byte b = bytes.get(ValueLayout.JAVA_BYTE, at++);
      value |= (b & 0x7FL) << (7 * i);
      if (b >= 0) {
        return value;
      }
    }
    throw malformed("a varint has more than " + MAX_VARINT_BYTES + " bytes");
  }

  /** An int32: the upper half is dropped, as protobuf does it. */
  int int32() throws MalformedProfileException {
    return (int) varint();
  }

  long fixed64() throws MalformedProfileException {
    return bytes.get(LONG, advance(Long.BYTES));
  }

  /** The field as a message, or as a run of packed numbers; the cursor moves past it. */
  ProtoCursor message(String name) throws MalformedProfileException {
    long length = delimitedLength();
    long from = advance(length);
    return new ProtoCursor(name, bytes, from, from + length);
  }

  /** The field as a string, which has to be UTF-8. */
  String text() throws MalformedProfileException {
    long from = at;
    byte[] utf8 = bytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedProfileException(
          message + " at offset " + from + ": a string of " + utf8.length + " bytes is not UTF-8");
    }
  }

  byte[] bytes() throws MalformedProfileException {
    long length = delimitedLength();
    if (length > Integer.MAX_VALUE - 8) {
      throw malformed("a field of " + length + " bytes is too long for what it is");
    }
    long from = advance(length);
    return bytes.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Passes over a field that the reader does not know, or does not want. */
  void skip() throws MalformedProfileException {
    switch (tag & 7) {
      case VARINT -> varint();
      case FIXED64 -> advance(Long.BYTES);
      case LENGTH_DELIMITED -> advance(delimitedLength());
      case FIXED32 -> advance(Integer.BYTES);
      case START_GROUP -> throw malformed("a group, which proto3 does not have");
      default -> throw malformed("wire type " + (tag & 7) + " in field " + (tag >>> 3));
    }
  }

  MalformedProfileException malformed(String problem) {
    return new MalformedProfileException(message + " at offset " + at + ": " + problem);
  }

  private long delimitedLength() throws MalformedProfileException {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw malformed(
          "length " + Long.toUnsignedString(length) + ", but " + (end - at) + " bytes follow");
    }
    return length;
  }

  /** Moves over {@code count} bytes; the result is where they begin. */
  private long advance(long count) throws MalformedProfileException {
    if (count > end - at) {
      throw malformed("needs " + count + " bytes, but " + (end - at) + " follow");
    }
    long from = at;
    at += count;
    return from;
  }
}
