/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of positions: a line for each file that was read, oldest first. It is replaced as a
 * whole, so a reader sees the old one or the new one.
 *
 * <pre>
 * sennit positions 1
 * DEVICE INODE LENGTH SUM OFFSET SKIPPING FINISHED PATH
 * </pre>
 */
final class Positions {
  private static final String HEAD = "sennit positions 1";
  private static final int COLUMNS = 8;

  private final Path file;
  private String last = "";

  Positions(Path file) {
    this.file = file;
  }

  /** Null if there is no such file yet. */
  @Nullable List<Position> read() throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return null;
    }
    List<Position> positions = new ArrayList<>();
    String[] lines = text.split("\n");
    if (!lines[0].equals(HEAD)) {
      throw new IOException(file + " is no file of positions: it begins with \"" + lines[0] + "\"");
    }
    for (int i = 1; i < lines.length; i++) {
      positions.add(position(lines[i]));
    }
    last = text;
    return positions;
  }

  private Position position(String line) throws IOException {
    String[] columns = line.split(" ", COLUMNS);
    try {
      return new Position(
          Path.of(utf8(columns[7])),
          new FileId(Long.parseLong(columns[0]), Long.parseLong(columns[1])),
          new Fingerprint(Integer.parseInt(columns[2]), Long.parseLong(columns[3])),
          Long.parseLong(columns[4]),
          Boolean.parseBoolean(columns[5]),
          Boolean.parseBoolean(columns[6]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(file + " has a line that is no position: \"" + line + "\"", e);
    }
  }

  void write(List<Position> positions) throws IOException {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    for (Position position : positions) {
      text.append(position.id().device()).append(' ');
      text.append(position.id().inode()).append(' ');
      text.append(position.fingerprint().length()).append(' ');
      text.append(position.fingerprint().sum()).append(' ');
      text.append(position.offset()).append(' ');
      text.append(position.skipping()).append(' ');
      text.append(position.finished()).append(' ');
      text.append(latin(position.path().toString())).append('\n');
    }
    String now = text.toString();
    if (now.equals(last)) {
      return;
    }
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(now.getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    last = now;
  }

  private static String latin(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
