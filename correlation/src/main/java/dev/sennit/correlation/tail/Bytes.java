/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reading from a place of a file, as much as there is. */
final class Bytes {
  private Bytes() {}

  /** Fills the array from this place on; the result is how many bytes there were. */
  static int read(FileChannel file, long offset, byte[] into) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into);
    int count = 1;
    while (count > 0 && buffer.hasRemaining()) {
      count = file.read(buffer, offset + buffer.position());
    }
    return buffer.position();
  }
}
