/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Loads and stores at absolute addresses of this process, with the orderings that the record
 * protocols need.
 *
 * <p>Nothing here checks that an address is mapped: callers own the memory they name. The compiled
 * form of each method is a single instruction, because the segment is a constant as large as the
 * address space.
 */
public final class Memory {
  /** All addresses, for the handles of {@link #field}. */
  @SuppressWarnings("restricted")
  public static final MemorySegment EVERYWHERE = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Memory() {}

  /**
   * Returns a view of {@code size} bytes at {@code address}, valid for as long as the caller keeps
   * them mapped.
   */
  public static MemorySegment segment(long address, long size) {
    return EVERYWHERE.asSlice(address, size);
  }

  /**
   * A handle on one field of a structure; its coordinates are {@link #EVERYWHERE} and the
   * structure's address. The checks of an access concern the structure as a whole, so the compiler
   * makes them once for all fields.
   */
  public static VarHandle field(StructLayout structure, String name) {
    return structure.varHandle(MemoryLayout.PathElement.groupElement(name));
  }

  public static byte getByte(long address) {
    return (byte) BYTE.get(EVERYWHERE, address);
  }

  public static void putByte(long address, byte value) {
    BYTE.set(EVERYWHERE, address, value);
  }

  /** Stores without being merged with or moved past another opaque store of the same place. */
  public static void putByteOpaque(long address, byte value) {
    BYTE.setOpaque(EVERYWHERE, address, value);
  }

  public static short getShort(long address) {
    return (short) SHORT.get(EVERYWHERE, address);
  }

  public static void putShortOpaque(long address, short value) {
    SHORT.setOpaque(EVERYWHERE, address, value);
  }

  public static int getInt(long address) {
    return (int) INT.get(EVERYWHERE, address);
  }

  public static int getIntAcquire(long address) {
    return (int) INT.getAcquire(EVERYWHERE, address);
  }

  public static void putInt(long address, int value) {
    INT.set(EVERYWHERE, address, value);
  }

  /**
   * Stores without tearing and without being merged with or moved past another opaque store of the
   * same place.
   */
  public static void putIntOpaque(long address, int value) {
    INT.setOpaque(EVERYWHERE, address, value);
  }

  public static void putIntRelease(long address, int value) {
    INT.setRelease(EVERYWHERE, address, value);
  }

  public static long getLong(long address) {
    return (long) LONG.get(EVERYWHERE, address);
  }

  public static long getLongOpaque(long address) {
    return (long) LONG.getOpaque(EVERYWHERE, address);
  }

  public static long getLongAcquire(long address) {
    return (long) LONG.getAcquire(EVERYWHERE, address);
  }

  public static void putLong(long address, long value) {
    LONG.set(EVERYWHERE, address, value);
  }

  /**
   * Stores without tearing and without being merged with or moved past another opaque store of the
   * same place.
   */
  public static void putLongOpaque(long address, long value) {
    LONG.setOpaque(EVERYWHERE, address, value);
  }

  public static void putLongRelease(long address, long value) {
    LONG.setRelease(EVERYWHERE, address, value);
  }

  public static void putLongVolatile(long address, long value) {
    LONG.setVolatile(EVERYWHERE, address, value);
  }

  public static boolean compareAndSetLong(long address, long expected, long value) {
    return LONG.compareAndSet(EVERYWHERE, address, expected, value);
  }

  /** Copies {@code source} to {@code address}. */
  public static void putBytes(long address, byte[] source) {
    MemorySegment.copy(source, 0, EVERYWHERE, ValueLayout.JAVA_BYTE, address, source.length);
  }

  /** Copies {@code length} bytes at {@code address} into a new array. */
  public static byte[] getBytes(long address, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(EVERYWHERE, ValueLayout.JAVA_BYTE, address, bytes, 0, length);
    return bytes;
  }

  /** Sets {@code length} bytes at {@code address} to zero. */
  public static void clear(long address, long length) {
    segment(address, length).fill((byte) 0);
  }
}
