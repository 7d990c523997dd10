/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the user's that takes the pieces of a recording, one after the other. It has whole
 * pieces only: behind a half one nothing could be read.
 */
final class RecordingFile {
  private static final int BUFFER = 64 << 10;
  private static final long WHOLE = -1;

  private final Path path;
  private final Trouble trouble = new Trouble();
  private boolean replaced;

  /** Where the half of a piece begins that has to go. */
  private long torn = WHOLE;

  RecordingFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Whether another path leads here, too. */
  boolean isAt(Path other) {
    try {
      return Files.isSameFile(path, other);
    } catch (IOException e) {
      return path.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
  }

  /** Makes it an empty file, whatever was there before. */
  void replace() throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.write(path, new byte[0]);
    replaced = true;
  }

  /** Puts a piece at the end, the first one in place of what was there; a failure is logged. */
  void append(Path piece) {
    try {
      if (!replaced) {
        replace();
      }
      mend();
      torn = Files.exists(path) ? Files.size(path) : 0;
      copy(piece);
      torn = WHOLE;
      trouble.end("pieces of the recording are put into " + path + " again");
    } catch (IOException e) {
      trouble.begin("a piece of the recording is not in " + path, e);
      mendQuietly();
    }
  }

  /** By streams: unlike channels, they do not mind a thread that somebody has interrupted. */
  private void copy(Path piece) throws IOException {
    try (InputStream in = new FileInputStream(piece.toFile());
        OutputStream out = new FileOutputStream(path.toFile(), true)) {
      // Not transferTo, which is by channels.
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    }
  }

  private void mend() throws IOException {
    if (torn != WHOLE && Files.isRegularFile(path)) {
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        if (file.length() > torn) {
          file.setLength(torn);
        }
      }
    }
    torn = WHOLE;
  }

  private void mendQuietly() {
    try {
      mend();
    } catch (IOException e) {
      // The next piece tries again, and stays outside if that fails.
    }
  }
}
