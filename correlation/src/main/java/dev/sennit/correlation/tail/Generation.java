/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * One file that was under a followed name, from where it is read next. It stays open, so that it
 * can be read to its end when it has another name, or none.
 */
final class Generation implements AutoCloseable {
  private static final int LOOK_BACK = 1 << 16;

  final FileId id;
  private final FileChannel file;
  private Fingerprint fingerprint;
  private long offset;

  /** Whether the rest of a line that was cut is still to come. */
  private boolean skipping;

  /** When it was found to be no longer under its name, by the clock of this JVM. */
  private long leftAt;

  private boolean left;

  private Generation(FileId id, FileChannel file, Position from) {
    this.id = id;
    this.file = file;
    fingerprint = from.fingerprint();
    offset = from.offset();
    skipping = from.skipping();
  }

  /** Opens what is under this name now; null if it is gone, or not what was asked for. */
  static @Nullable Generation open(Path path, FileId id, Position from) {
    FileChannel file = null;
    try {
      file = FileChannel.open(path, StandardOpenOption.READ);
      FileId.@Nullable Status status = FileId.status(path);
      if (status != null && status.id().equals(id) && from.fingerprint().fits(file)) {
        Generation generation = new Generation(id, file, from);
        file = null;
        return generation;
      }
      return null;
    } catch (IOException e) {
      return null;
    } finally {
      closeQuietly(file);
    }
  }

  Position position(Path path) {
    return new Position(path, id, fingerprint, offset, skipping, false);
  }

  /** Goes to the beginning of the line that is not finished yet, at the end of the file. */
  void seekEnd() throws IOException {
    fingerprint = Fingerprint.of(file);
    long size = file.size();
    byte[] tail = new byte[(int) Math.min(size, LOOK_BACK)];
    int line = Bytes.read(file, size - tail.length, tail);
    offset = size - tail.length + line;
    while (line > 0 && tail[line - 1] != '\n') {
      line--;
    }
    if (line > 0 || size <= LOOK_BACK) {
      offset = size - tail.length + line;
    }
  }

  /** Whether there is less in it than was read, or something else. */
  boolean isReplaced() throws IOException {
    return file.size() < offset || !fingerprint.fits(file);
  }

  /** Whether too little of it is known to notice that it was emptied and written again. */
  boolean isFresh() {
    return !fingerprint.isTelling();
  }

  /** Whether nothing of it was given yet. */
  boolean isUntouched() {
    return offset == 0 && !skipping;
  }

  /** Looks at its beginning, and gives nothing. True if it is known by that from now on. */
  boolean learn() throws IOException {
    fingerprint = Fingerprint.of(file);
    return fingerprint.isTelling();
  }

  void leave(long now) {
    if (!left) {
      left = true;
      leftAt = now;
    }
  }

  boolean isLeftSince(long nanos, long now) {
    return left && now - leftAt >= nanos;
  }

  /** Begins again, with what is in the same file by now. */
  void restart() {
    offset = 0;
    skipping = false;
    fingerprint = Fingerprint.NONE;
  }

  /**
   * Gives the whole lines of the next round to the sink.
   *
   * @param last whether nothing can come any more, so that the last line is whole as it is
   * @return whether there is more to read at once
   */
  boolean read(Path name, byte[] bytes, int longestLine, LineSink sink, boolean last)
      throws IOException {
    int size = Bytes.read(file, offset, bytes);
    if (size > 0 && !isSameAfter(bytes, size)) {
      return false;
    }
    long begin = offset;
    int line = 0;
    for (int i = 0; i < size; i++) {
      if (bytes[i] == '\n') {
        give(name, bytes, line, i, longestLine, sink);
        skipping = false;
        line = i + 1;
        offset = begin + line;
      }
    }
    boolean full = size == bytes.length;
    int rest = size - line;
    if (skipping) {
      offset = begin + size;
    } else if (rest > longestLine || (last && !full && rest > 0)) {
      give(name, bytes, line, size, longestLine, sink);
      skipping = rest > longestLine;
      offset = begin + size;
    }
    return full;
  }

  /**
   * Whether what was just read is of the file that is known: it may have been emptied and written
   * again before. Then its beginning is another now, for it was that before anything was read.
   */
  private boolean isSameAfter(byte[] bytes, int size) throws IOException {
    Fingerprint longer = fingerprint;
    if (!fingerprint.isWhole()) {
      longer = offset == 0 ? Fingerprint.of(bytes, size) : Fingerprint.of(file);
    }
    if (!fingerprint.fits(file)) {
      return false;
    }
    fingerprint = longer;
    return true;
  }

  private void give(Path name, byte[] bytes, int from, int to, int longestLine, LineSink sink) {
    if (!skipping) {
      boolean cut = to - from > longestLine;
      sink.line(name, bytes, from, cut ? from + longestLine : to, cut);
    }
  }

  @Override
  public void close() {
    closeQuietly(file);
  }

  private static void closeQuietly(@Nullable FileChannel file) {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // It was only read.
      }
    }
  }
}
