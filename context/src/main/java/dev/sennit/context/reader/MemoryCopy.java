/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.sennit.context.memory.ProcessMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A copy of a few bytes of another process, kept until the next is made. Addresses may be wild:
 * what cannot be read is answered with false, and the getters then have nothing to say.
 */
final class MemoryCopy implements AutoCloseable {
  static final int MAX_LENGTH = 48 * 1024;

  private final ProcessMemory memory;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment bytes = arena.allocate(MAX_LENGTH, Long.BYTES);

  MemoryCopy(ProcessMemory memory) {
    this.memory = memory;
  }

  ProcessMemory memory() {
    return memory;
  }

  /** Copies {@code length} bytes, all of them or none. */
  boolean load(long address, long length) {
    return length <= MAX_LENGTH && memory.read(address, bytes.asSlice(0, length)) == length;
  }

  /** Copies up to {@code length} bytes; the result is how many could be read. */
  int loadSome(long address, int length) {
    return (int) Math.max(0, memory.read(address, bytes.asSlice(0, length)));
  }

  /** The 64-bit word at {@code address}; {@code absent} when it cannot be read. */
  long word(long address, long absent) {
    return load(address, Long.BYTES) ? getLong(0) : absent;
  }

  int getByte(long offset) {
    return Byte.toUnsignedInt(bytes.get(JAVA_BYTE, offset));
  }

  int getShort(long offset) {
    return Short.toUnsignedInt(bytes.get(JAVA_SHORT_UNALIGNED, offset));
  }

  long getInt(long offset) {
    return Integer.toUnsignedLong(bytes.get(JAVA_INT_UNALIGNED, offset));
  }

  long getLong(long offset) {
    return bytes.get(JAVA_LONG_UNALIGNED, offset);
  }

  /** The first {@code length} bytes as an array. */
  byte[] toArray(int length) {
    return bytes.asSlice(0, length).toArray(JAVA_BYTE);
  }

  @Override
  public void close() {
    arena.close();
  }
}
