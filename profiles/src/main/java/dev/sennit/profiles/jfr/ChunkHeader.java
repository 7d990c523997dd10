/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The first bytes of a chunk, all big-endian.
 *
 * <pre>
 *  0  magic "FLR\0"            32  start, nanoseconds since 1970
 *  4  version: major, minor    40  duration, nanoseconds
 *  8  size of the chunk        48  start, ticks
 * 16  offset of checkpoint     56  ticks per second
 * 24  offset of metadata       64  state (0: finished)   66  features
 * </pre>
 *
 * Sizes and offsets count from the start of the chunk. The checkpoint named is the last one; each
 * leads to the one before.
 */
record ChunkHeader(
    long size,
    long checkpointOffset,
    long metadataOffset,
    long startNanos,
    long durationNanos,
    long startTicks,
    long ticksPerSecond,
    int state,
    int features) {
  static final int SIZE = 68;
  static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

  static final int FEATURE_COMPRESSED_INTEGERS = 1;

  private static final int VERSION_OFFSET = 4;
  private static final int SIZE_OFFSET = 8;
  private static final int STATE_OFFSET = 64;
  private static final int FEATURES_OFFSET = 66;

  /** Reads {@link #SIZE} bytes that were found at {@code offset} of the file. */
  static ChunkHeader read(ByteBuffer bytes, Path file, long offset) throws JfrFormatException {
    if (bytes.getInt(0) != MAGIC) {
      throw new JfrFormatException(file, offset, "no chunk starts here: " + Magic.describe(bytes));
    }
    int major = bytes.getShort(VERSION_OFFSET);
    // 1 is JDK 9 and 10, 2 all since; 0 is the format of JDK 7 and 8 of Oracle, an entirely other.
    if (major != 1 && major != 2) {
      int minor = bytes.getShort(VERSION_OFFSET + 2);
      throw new JfrFormatException(
          file,
          offset + VERSION_OFFSET,
          "version " + major + "." + minor + " of the format is not known, only 1 and 2 are");
    }
    int at = SIZE_OFFSET;
    ChunkHeader header =
        new ChunkHeader(
            bytes.getLong(at),
            bytes.getLong(at + 8),
            bytes.getLong(at + 16),
            bytes.getLong(at + 24),
            bytes.getLong(at + 32),
            bytes.getLong(at + 40),
            bytes.getLong(at + 48),
            bytes.get(STATE_OFFSET) & 0xff,
            bytes.getShort(FEATURES_OFFSET) & 0xffff);
    if (header.ticksPerSecond <= 0) {
      throw new JfrFormatException(
          file, offset + 56, "the clock of the chunk has " + header.ticksPerSecond + " ticks/s");
    }
    if (header.size < 0 || (header.size > 0 && header.size < SIZE)) {
      throw new JfrFormatException(
          file, offset + SIZE_OFFSET, "the size of the chunk is said to be " + header.size);
    }
    return header;
  }

  /** Whether its writer has closed the chunk. */
  boolean finished() {
    return state == 0 && size != 0;
  }
}
