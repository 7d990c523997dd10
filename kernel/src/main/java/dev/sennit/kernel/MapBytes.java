/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers as keys and values of maps, in the machine's byte order. */
final class MapBytes {
  private MapBytes() {}

  static byte[] of(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(value).array();
  }

  static byte[] of(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value).array();
  }
}
