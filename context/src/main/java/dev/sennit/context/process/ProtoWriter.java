/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes protobuf. A nested message is written in place between {@link #open} and {@link #close},
 * which moves it up by the few bytes that its length takes: no sizes are computed beforehand, and
 * every length is as short as it can be.
 */
final class ProtoWriter {
  private byte[] buffer = new byte[1024];
  private int length;

  void varint(int tag, long value) {
    rawVarint(tag);
    rawVarint(value);
  }

  void fixed64(int tag, long value) {
    rawVarint(tag);
    reserve(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      buffer[length++] = (byte) (value >>> shift);
    }
  }

  void text(int tag, String value) {
    bytes(tag, value.getBytes(StandardCharsets.UTF_8));
  }

  void bytes(int tag, byte[] value) {
    rawVarint(tag);
    rawVarint(value.length);
    raw(value, 0, value.length);
  }

  /** Appends bytes that are protobuf already. */
  void raw(byte[] source, int from, int to) {
    reserve(to - from);
    System.arraycopy(source, from, buffer, length, to - from);
    length += to - from;
  }

  /** Begins a nested message; the result is for {@link #close}. */
  int open(int tag) {
    rawVarint(tag);
    return length;
  }

  void close(int start) {
    int size = length - start;
    int lengthBytes = varintLength(size);
    reserve(lengthBytes);
    System.arraycopy(buffer, start, buffer, start + lengthBytes, size);
    length = start;
    rawVarint(size);
    length += size;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(buffer, length);
  }

  private void rawVarint(long value) {
    reserve(varintLength(value));
    long rest = value;
    for (; (rest & ~0x7FL) != 0; rest >>>= 7) {
      buffer[length++] = (byte) (rest | 0x80);
    }
    buffer[length++] = (byte) rest;
  }

  private static int varintLength(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  private void reserve(int bytes) {
    if (buffer.length - length < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + bytes));
    }
  }
}
