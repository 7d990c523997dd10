/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads one protobuf message, field by field, from bytes that nobody vouches for. It never looks
 * past the end of its message, and every complaint says in which message, at which offset of the
 * payload, and about what value.
 */
public final class ProtoReader {
  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int LENGTH_DELIMITED = 2;
  public static final int FIXED32 = 5;
  private static final int START_GROUP = 3;
  private static final int END_GROUP = 4;

  /** Groups inside groups that are skipped; nobody writes even one. */
  private static final int MAX_GROUPS = 32;

  private static final int MAX_VARINT_BYTES = 10;

  private final String message;
  private final byte[] bytes;
  private final int end;
  private int at;
  private int tag;
  private int tagOffset;

  /** Reads {@code bytes} as a message that complaints call {@code message}. */
  public ProtoReader(String message, byte[] bytes) {
    this(message, bytes, 0, bytes.length);
  }

  private ProtoReader(String message, byte[] bytes, int from, int end) {
    this.message = message;
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  public static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /** Moves to the next field; false at the end of the message. */
  public boolean next() throws MalformedContextException {
    if (at == end) {
      return false;
    }
    tagOffset = at;
    tag = 0;
    long value = rawVarint();
    if (value >>> 3 == 0 || value >>> Integer.SIZE != 0) {
      throw malformed("field number " + Long.toUnsignedString(value >>> 3) + " does not exist");
    }
    tag = (int) value;
    return true;
  }

  /** Field number and wire type of the field, as {@link #tag(int, int)} makes it. */
  public int tag() {
    return tag;
  }

  /** Where the field begins in the payload. */
  int tagOffset() {
    return tagOffset;
  }

  /** Where the field ends, once it was read or skipped. */
  int position() {
    return at;
  }

  public long varint() throws MalformedContextException {
    return rawVarint();
  }

  public long fixed64() throws MalformedContextException {
    return littleEndian(Long.BYTES);
  }

  public int fixed32() throws MalformedContextException {
    return (int) littleEndian(Integer.BYTES);
  }

  private long littleEndian(int size) throws MalformedContextException {
    int from = advance(size);
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (bytes[from + i] & 0xFF);
    }
    return value;
  }

  /** The field as a message; the reader moves past it. */
  public ProtoReader message(String name) throws MalformedContextException {
    int length = length();
    int from = advance(length);
    return new ProtoReader(name, bytes, from, from + length);
  }

  /** The field as text; what is not UTF-8 becomes U+FFFD, as a label is better than none. */
  public String text() throws MalformedContextException {
    int length = length();
    return new String(bytes, advance(length), length, StandardCharsets.UTF_8);
  }

  public byte[] bytes() throws MalformedContextException {
    int length = length();
    int from = advance(length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** Passes over a field that the reader does not know, by its wire type. */
  public void skip() throws MalformedContextException {
    skip(0);
  }

  private void skip(int groups) throws MalformedContextException {
    switch (tag & 7) {
      case VARINT -> rawVarint();
      case FIXED64 -> advance(Long.BYTES);
      case LENGTH_DELIMITED -> advance(length());
      case FIXED32 -> advance(Integer.BYTES);
      case START_GROUP -> skipGroup(tag >>> 3, groups + 1);
      case END_GROUP -> throw malformed("a group ends that was not begun");
      default -> throw malformed("wire type " + (tag & 7) + " does not exist");
    }
  }

  private void skipGroup(int field, int groups) throws MalformedContextException {
    if (groups > MAX_GROUPS) {
      throw malformed("more than " + MAX_GROUPS + " groups are nested");
    }
    while (next()) {
      if (tag == tag(field, END_GROUP)) {
        return;
      }
      skip(groups);
    }
    throw malformed("the group does not end");
  }

  private int length() throws MalformedContextException {
    long length = rawVarint();
    if (length < 0 || length > end - at) {
      throw malformed(
          "length " + Long.toUnsignedString(length) + ", but " + (end - at) + " bytes follow");
    }
    return (int) length;
  }

  /** Moves over {@code count} bytes; the result is where they begin. */
  private int advance(int count) throws MalformedContextException {
    if (count > end - at) {
      throw malformed("needs " + count + " bytes, but " + (end - at) + " follow");
    }
    int from = at;
    at += count;
    return from;
  }

  private long rawVarint() throws MalformedContextException {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      if (at == end) {
        throw malformed("a varint is cut off after " + i + " bytes");
      }
      byte b = bytes[at++];
      value |= (b & 0x7FL) << (7 * i);
      if (b >= 0) {
        if (i == MAX_VARINT_BYTES - 1 && b > 1) {
          break;
        }
        return value;
      }
    }
    throw malformed("a varint has more than 64 bits");
  }

  /** A complaint about the field at hand. */
  public MalformedContextException malformed(String problem) {
    String field = tag == 0 ? "tag" : "field " + (tag >>> 3);
    return new MalformedContextException(
        message + ", " + field + " at offset " + tagOffset + ": " + problem);
  }
}
