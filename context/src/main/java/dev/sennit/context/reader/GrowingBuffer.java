/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory that is kept from refresh to refresh and only ever grows. */
final class GrowingBuffer implements AutoCloseable {
  private Arena arena = Arena.ofShared();
  private MemorySegment bytes = MemorySegment.NULL;

  /** The buffer, at least {@code size} bytes of it; what it held is lost when it grows. */
  MemorySegment atLeast(long size) {
    if (bytes.byteSize() < size) {
      Arena larger = Arena.ofShared();
      bytes = larger.allocate(size, Long.BYTES);
      arena.close();
      arena = larger;
    }
    return bytes;
  }

  @Override
  public void close() {
    arena.close();
  }
}
