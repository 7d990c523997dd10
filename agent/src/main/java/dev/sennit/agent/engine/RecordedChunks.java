/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The complete chunks in a recording that async-profiler is still writing. A chunk's size stands in
 * its head once it is complete, and each is a recording of its own.
 */
final class RecordedChunks {
  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;
  private static final int HEAD = 68;
  private static final int SIZE_OFFSET = 8;

  private final Path file;
  private long position;

  RecordedChunks(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** How much of the file has been fetched. */
  long position() {
    return position;
  }

  /** Moves the chunks that have become complete since the last time to {@code target}. */
  void fetch(Path target) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                target,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      long end = endOfComplete(in);
      while (position < end) {
        long copied = in.transferTo(position, end - position, out);
        if (copied <= 0) {
          throw new IOException(file + " ended at " + position + " while it was copied");
        }
        position += copied;
      }
    }
  }

  private long endOfComplete(FileChannel in) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    long end = position;
    long length = in.size();
    while (end + HEAD <= length) {
      head.clear();
      if (in.read(head, end) < HEAD || head.getInt(0) != MAGIC) {
        break;
      }
      long size = head.getLong(SIZE_OFFSET);
      if (size < HEAD || size > length - end) {
        break;
      }
      end += size;
    }
    return end;
  }
}
