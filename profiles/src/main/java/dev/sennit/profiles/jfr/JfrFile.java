/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A flight recording on disk, as a list of chunks that can be read independently, by several
 * threads if wanted. Opening it reads the headers of the chunks only.
 */
public final class JfrFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final long size;
  private final KnownMetadata metadata = new KnownMetadata();
  private final SpareIndexes spareIndexes = new SpareIndexes();
  private final List<JfrChunk> chunks = new ArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  private JfrFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.size = channel.size();
  }

  /**
   * Opens a recording.
   *
   * @throws JfrFormatException if it is none
   */
  public static JfrFile open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new JfrFormatException(path, 0, "not a JFR file: it is a folder");
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      JfrFile file = new JfrFile(path, channel);
      file.scan();
      return file;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void scan() throws IOException {
    if (size == 0) {
      throw new JfrFormatException(path, 0, "not a JFR file: it is empty");
    }
    for (long offset = 0; offset < size; ) {
      ByteBuffer bytes = read(offset);
      boolean magic = bytes.limit() >= 4 && bytes.getInt(0) == ChunkHeader.MAGIC;
      if (!magic && offset == 0) {
        throw new JfrFormatException(path, 0, "not a JFR file: " + Magic.describe(bytes));
      }
      if (!magic && !chunks.getLast().header().finished()) {
        warn(offset, (size - offset) + " bytes after the last flush of a chunk are left out");
        return;
      }
      if (bytes.limit() < ChunkHeader.SIZE) {
        String cut = "the header of a chunk is cut off after " + bytes.limit() + " bytes";
        if (offset == 0) {
          throw new JfrFormatException(path, offset, cut);
        }
        warn(offset, cut + ", which are left out");
        return;
      }
      JfrChunk chunk = chunk(offset, ChunkHeader.read(bytes, path, offset));
      chunks.add(chunk);
      offset += chunk.length();
    }
  }

  private JfrChunk chunk(long offset, ChunkHeader header) {
    long rest = size - offset;
    if (header.size() == 0) {
      warn(offset, "the chunk is still being written; what it holds so far is read");
      return new JfrChunk(this, offset, rest, true, header);
    }
    if (header.size() > rest) {
      warn(
          offset,
          "the chunk should have "
              + header.size()
              + " bytes but the file ends after "
              + rest
              + "; what is complete is read");
      return new JfrChunk(this, offset, rest, true, header);
    }
    if (header.state() != 0) {
      warn(offset, "the chunk is still being written; it is read as of its last flush");
    }
    return new JfrChunk(this, offset, header.size(), header.state() != 0, header);
  }

  private ByteBuffer read(long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(ChunkHeader.SIZE);
    while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) > 0) {}
    return bytes.flip();
  }

  void warn(long offset, String text) {
    warnings.add(path + ": " + text + " (at offset " + offset + ")");
  }

  KnownMetadata metadata() {
    return metadata;
  }

  SpareIndexes spareIndexes() {
    return spareIndexes;
  }

  FileChannel channel() {
    return channel;
  }

  public Path path() {
    return path;
  }

  /** Bytes of the file when it was opened. */
  public long size() {
    return size;
  }

  public List<JfrChunk> chunks() {
    return List.copyOf(chunks);
  }

  /** What was left out so far, and why; grows while chunks are read. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
