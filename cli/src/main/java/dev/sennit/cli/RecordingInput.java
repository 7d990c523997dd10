/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.profiles.UnreadableRecordingException;
import dev.sennit.profiles.jfr.JfrChunk;
import dev.sennit.profiles.jfr.JfrFile;
import dev.sennit.profiles.jfr.JfrFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * A recording that was named on the command line, found to be one by its headers.
 *
 * @param name what the user calls it
 * @param file where it is, which for standard input is a temporary file
 */
record RecordingInput(String name, Path file, boolean temporary, long bytes, Instant start)
    implements AutoCloseable {
  static final String STANDARD = "-";

  /** Opens what {@code argument} names; the message of a failure names it, too. */
  static RecordingInput open(String argument, InputStream standardInput) throws IOException {
    boolean temporary = argument.equals(STANDARD);
    String name = temporary ? "standard input" : argument;
    Path file = temporary ? spool(standardInput) : Path.of(argument);
    try (JfrFile recording = JfrFile.open(file)) {
      JfrChunk first = recording.chunks().getFirst();
      if (first.missing() > 0) {
        throw new IOException(
            "it is cut off: "
                + first.missing()
                + " bytes of its first chunk are missing (at offset "
                + recording.size()
                + ")");
      }
      return new RecordingInput(
          name, file, temporary, recording.size(), Instant.EPOCH.plusNanos(first.startNanos()));
    } catch (IOException e) {
      if (temporary) {
        Files.deleteIfExists(file);
      }
      throw new IOException(describe(name, e), e);
    }
  }

  /** Chunks are mapped, which a pipe cannot be. */
  private static Path spool(InputStream in) throws IOException {
    Path file = Files.createTempFile("sennit-", ".jfr");
    file.toFile().deleteOnExit();
    Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    return file;
  }

  /** One line on why a file could not be read. */
  static String describe(String name, IOException failure) {
    return name
        + ": "
        + switch (failure) {
          case JfrFormatException e -> e.reason() + " (at offset " + e.offset() + ")";
          case UnreadableRecordingException e -> e.reason() + " (at offset " + e.offset() + ")";
          case NoSuchFileException _ -> "there is no such file";
          case AccessDeniedException _ -> "it may not be read";
          default -> String.valueOf(failure.getMessage());
        };
  }

  /** Whether it is this one that a failure is about. */
  boolean isNamedBy(IOException failure) {
    return switch (failure) {
      case JfrFormatException e -> file.toString().equals(e.file());
      case UnreadableRecordingException e -> file.toString().equals(e.file());
      case FileSystemException e -> file.toString().equals(e.getFile());
      default -> false;
    };
  }

  @Override
  public void close() throws IOException {
    if (temporary) {
      Files.deleteIfExists(file);
    }
  }
}
