/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a chunk, read through buffers: a segment is as fast, but only once the JVM's
 * optimizing compiler has been at it, and a conversion is over soon after that.
 *
 * <p>A buffer has less than 2 GiB, so there are windows of 1 GiB, each of which goes on for some
 * bytes into the next, so that no value is divided. Nearly every chunk has one window.
 */
final class ChunkBytes {
  private static final int OVERLAP = Long.BYTES;

  private final MemorySegment bytes;
  private final ByteBuffer[] windows;
  private final ByteBuffer first;
  private final int windowBits;

  ChunkBytes(MemorySegment bytes) {
    this(bytes, 30);
  }

  /** With windows of another size, so that one need not have gigabytes to try several. */
  ChunkBytes(MemorySegment bytes, int windowBits) {
    this.bytes = bytes;
    this.windowBits = windowBits;
    long window = 1L << windowBits;
    windows =
        new ByteBuffer
            [Math.max(1, Math.toIntExact((bytes.byteSize() + window - 1) >>> windowBits))];
    for (int i = 0; i < windows.length; i++) {
      long start = (long) i << windowBits;
      long size = Math.min(window + OVERLAP, bytes.byteSize() - start);
      windows[i] = bytes.asSlice(start, size).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
    first = windows[0];
  }

  long size() {
    return bytes.byteSize();
  }

  /** Eight bytes, the first of them lowest. */
  long word(long at) {
    return at >>> windowBits == 0 ? first.getLong((int) at) : window(at).getLong(offset(at));
  }

  byte get(long at) {
    return at >>> windowBits == 0 ? first.get((int) at) : window(at).get(offset(at));
  }

  short bigEndianShort(long at) {
    return Short.reverseBytes(window(at).getShort(offset(at)));
  }

  int bigEndianInt(long at) {
    return Integer.reverseBytes(window(at).getInt(offset(at)));
  }

  long bigEndianLong(long at) {
    return Long.reverseBytes(word(at));
  }

  byte[] copy(long at, int count) {
    byte[] copy = new byte[count];
    MemorySegment.copy(bytes, JAVA_BYTE, at, copy, 0, count);
    return copy;
  }

  MemorySegment slice(long from, long to) {
    return bytes.asSlice(from, to - from);
  }

  private ByteBuffer window(long at) {
    return windows[(int) (at >>> windowBits)];
  }

  private int offset(long at) {
    return (int) (at & (1L << windowBits) - 1);
  }
}
