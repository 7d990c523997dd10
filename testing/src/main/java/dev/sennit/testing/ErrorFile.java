/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a child's standard error goes: a file of its own, readable at any time. */
final class ErrorFile implements AutoCloseable {
  private final Path file;

  /** What was in the file when it was deleted. */
  private @Nullable String last;

  ErrorFile(String name) {
    try {
      file = Files.createTempFile(name, ".err");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the program with this file as its standard error, unless the caller chose another. */
  Process start(ProcessBuilder builder) throws IOException {
    if (!builder.redirectError().equals(ProcessBuilder.Redirect.PIPE)) {
      return builder.start();
    }
    try {
      return builder.redirectError(file.toFile()).start();
    } finally {
      // The caller may start the same program again, which then has a file of its own.
      builder.redirectError(ProcessBuilder.Redirect.PIPE);
    }
  }

  /** The lines so far, without the end of the last. */
  synchronized String text() {
    return last == null ? read() : last;
  }

  private String read() {
    try {
      // Whatever a program prints must not hide why a test failed, so bytes are read leniently.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    if (last == null) {
      last = read();
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
