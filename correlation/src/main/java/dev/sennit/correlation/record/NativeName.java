/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The name of a thread as the kernel has it: up to 15 bytes, padded with zeros to 16.
 *
 * @param low the first eight bytes, as they lie in memory
 * @param high the last eight bytes, as they lie in memory
 */
public record NativeName(long low, long high) {
  /** Of nobody. */
  public static final NativeName NONE = new NativeName(0, 0);

  private static final int SIZE = 16;
  private static final int MOST = SIZE - 1;

  /** The name that a JVM gives to a thread that is called so. */
  public static NativeName ofJava(String name) {
    return of(name.getBytes(UTF_8));
  }

  /** A name as it is, as far as the kernel keeps it. */
  public static NativeName of(byte[] bytes) {
    return of(ByteBuffer.allocate(SIZE).put(bytes, 0, Math.min(bytes.length, MOST)));
  }

  private static NativeName of(ByteBuffer bytes) {
    bytes.order(ByteOrder.nativeOrder());
    return new NativeName(bytes.getLong(0), bytes.getLong(Long.BYTES));
  }
}
