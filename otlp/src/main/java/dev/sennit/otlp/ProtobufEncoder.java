/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes the protobuf wire format into a buffer that grows and is kept: after the first messages
 * nothing is allocated. Whoever knows the length of a nested message beforehand (the {@code sizeOf}
 * functions give it) writes it with {@link #writeLengthDelimited} and may empty the buffer in
 * between with {@link #drainTo}, so that an output is never in memory as a whole; others use {@link
 * #beginMessage} and {@link #endMessage}. Not safe for use by several threads.
 */
public final class ProtobufEncoder {
  /** Wire type of int32, int64, uint32, uint64, bool and enum. */
  public static final int VARINT = 0;

  /** Wire type of fixed64 and double. */
  public static final int FIXED64 = 1;

  /** Wire type of strings, bytes, messages and packed fields. */
  public static final int LENGTH_DELIMITED = 2;

  /** Wire type of fixed32 and float. */
  public static final int FIXED32 = 5;

  private static final int MAX_FIELD = (1 << 29) - 1;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  private byte[] buffer;

  /** The same bytes, for numbers of several bytes. */
  private ByteBuffer numbers;

  private int length;

  public ProtobufEncoder() {
    this(1024);
  }

  public ProtobufEncoder(int capacity) {
    buffer = new byte[Math.max(capacity, 16)];
    numbers = littleEndian(buffer);
  }

  /** Bytes written since the last {@link #reset} or {@link #drainTo}. */
  public int size() {
    return length;
  }

  /** Forgets what was written and keeps the buffer. */
  public void reset() {
    length = 0;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, length);
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, 0, length);
  }

  /** Writes what is there and forgets it. Not between {@link #beginMessage} and its end. */
  public void drainTo(OutputStream out) throws IOException {
    out.write(buffer, 0, length);
    length = 0;
  }

  /** A base-128 varint; a negative value takes ten bytes, as int64 and int32 have it. */
  public void writeVarint(long value) {
    reserve(10);
    byte[] target = buffer;
    int at = length;
    long rest = value;
    for (; (rest & ~0x7FL) != 0; rest >>>= 7) {
      target[at++] = (byte) (rest | 0x80);
    }
    target[at++] = (byte) rest;
    length = at;
  }

  public void writeFixed32(int value) {
    reserve(Integer.BYTES);
    numbers.putInt(length, value);
    length += Integer.BYTES;
  }

  public void writeFixed64(long value) {
    reserve(Long.BYTES);
    numbers.putLong(length, value);
    length += Long.BYTES;
  }

  public void writeTag(int field, int wireType) {
    writeVarint(tag(field, wireType));
  }

  /** Tag and length of a string, message or packed field whose content the caller writes next. */
  public void writeLengthDelimited(int field, long contentLength) {
    writeTag(field, LENGTH_DELIMITED);
    writeVarint(contentLength);
  }

  public void writeVarintField(int field, long value) {
    writeTag(field, VARINT);
    writeVarint(value);
  }

  public void writeBoolField(int field, boolean value) {
    writeVarintField(field, value ? 1 : 0);
  }

  public void writeFixed32Field(int field, int value) {
    writeTag(field, FIXED32);
    writeFixed32(value);
  }

  public void writeFixed64Field(int field, long value) {
    writeTag(field, FIXED64);
    writeFixed64(value);
  }

  public void writeDoubleField(int field, double value) {
    writeFixed64Field(field, Double.doubleToRawLongBits(value));
  }

  /** A string field, encoded to UTF-8 in place; a lone surrogate becomes a question mark. */
  public void writeString(int field, String value) {
    int bytes = Utf8.length(value);
    writeLengthDelimited(field, bytes);
    reserve(bytes);
    Utf8.encode(value, buffer, length);
    length += bytes;
  }

  public void writeBytes(int field, byte[] value) {
    writeBytes(field, value, 0, value.length);
  }

  public void writeBytes(int field, byte[] value, int offset, int count) {
    writeLengthDelimited(field, count);
    writeRaw(value, offset, count);
  }

  /** Bytes that are protobuf already, or the content of a length-delimited field. */
  public void writeRaw(byte[] value, int offset, int count) {
    reserve(count);
    System.arraycopy(value, offset, buffer, length, count);
    length += count;
  }

  /** Begins a nested message of unknown length; the result is for {@link #endMessage}. */
  public int beginMessage(int field) {
    writeTag(field, LENGTH_DELIMITED);
    return length;
  }

  /** Puts the length before the message begun at {@code start}, moving it up by as much. */
  public void endMessage(int start) {
    int size = length - start;
    int lengthBytes = sizeOfVarint(size);
    reserve(lengthBytes);
    System.arraycopy(buffer, start, buffer, start + lengthBytes, size);
    length = start;
    writeVarint(size);
    length += size;
  }

  /** A nested message that another encoder holds. */
  public void writeNestedMessage(int field, ProtobufEncoder message) {
    writeBytes(field, message.buffer, 0, message.length);
  }

  /** A packed field of varints; nothing at all if there are none. */
  public void writePackedVarintField(int field, long[] values, int offset, int count) {
    if (count == 0) {
      return;
    }
    writeLengthDelimited(field, sizeOfVarints(values, offset, count));
    for (int i = offset; i < offset + count; i++) {
      writeVarint(values[i]);
    }
  }

  /** A packed field of int32 varints; nothing at all if there are none. */
  public void writePackedVarintField(int field, int[] values, int offset, int count) {
    if (count == 0) {
      return;
    }
    writeLengthDelimited(field, sizeOfVarints(values, offset, count));
    for (int i = offset; i < offset + count; i++) {
      writeVarint(values[i]);
    }
  }

  /** A packed field of fixed64; nothing at all if there are none. */
  public void writePackedFixed64Field(int field, long[] values, int offset, int count) {
    if (count == 0) {
      return;
    }
    writeLengthDelimited(field, (long) Long.BYTES * count);
    for (int i = offset; i < offset + count; i++) {
      writeFixed64(values[i]);
    }
  }

  /** Maps signed to unsigned, small to small, for the types sint32 and sint64. */
  public static long zigZag(long value) {
    return value << 1 ^ value >> 63;
  }

  public static int sizeOfVarint(long value) {
    // A division by seven of the number of bits, rounded up, for every number of them.
    return (9 * (Long.SIZE - Long.numberOfLeadingZeros(value | 1)) + 64) >>> 6;
  }

  /** The size of a tag, which does not depend on the wire type. */
  public static int sizeOfTag(int field) {
    return sizeOfVarint((long) field << 3);
  }

  public static int sizeOfVarintField(int field, long value) {
    return sizeOfTag(field) + sizeOfVarint(value);
  }

  public static int sizeOfFixed32Field(int field) {
    return sizeOfTag(field) + Integer.BYTES;
  }

  public static int sizeOfFixed64Field(int field) {
    return sizeOfTag(field) + Long.BYTES;
  }

  /** The size of a string, message, bytes or packed field with a content of that length. */
  public static long sizeOfLengthDelimited(int field, long contentLength) {
    return sizeOfTag(field) + sizeOfVarint(contentLength) + contentLength;
  }

  public static long sizeOfString(int field, String value) {
    return sizeOfLengthDelimited(field, Utf8.length(value));
  }

  /** The content length of packed varints. */
  public static long sizeOfVarints(long[] values, int offset, int count) {
    long size = 0;
    for (int i = offset; i < offset + count; i++) {
      size += sizeOfVarint(values[i]);
    }
    return size;
  }

  /** The content length of packed int32 varints. */
  public static long sizeOfVarints(int[] values, int offset, int count) {
    long size = 0;
    for (int i = offset; i < offset + count; i++) {
      size += sizeOfVarint(values[i]);
    }
    return size;
  }

  private static long tag(int field, int wireType) {
    if (field < 1 || field > MAX_FIELD) {
      throw new IllegalArgumentException("field number " + field + " is not in 1 to " + MAX_FIELD);
    }
    return (long) field << 3 | wireType;
  }

  private void reserve(int bytes) {
    if (buffer.length - length < bytes) {
      grow(bytes);
    }
  }

  private void grow(int bytes) {
    long needed = (long) length + bytes;
    if (needed > MAX_ARRAY) {
      throw new IllegalStateException(
          "a buffer cannot hold " + needed + " bytes; drain it to a stream while writing");
    }
    buffer = Arrays.copyOf(buffer, (int) Math.min(Math.max(2L * buffer.length, needed), MAX_ARRAY));
    numbers = littleEndian(buffer);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
