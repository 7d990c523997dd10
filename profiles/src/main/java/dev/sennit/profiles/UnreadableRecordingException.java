/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.JfrFormatException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * A recording could not be read, though nothing is wrong with what was read of it so far: the disk
 * failed, it became shorter meanwhile, or the reader has a fault. Says which one and where.
 */
public final class UnreadableRecordingException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String reason;

  private UnreadableRecordingException(Path file, long offset, String reason, Throwable cause) {
    super(file + ": " + reason + " (at offset " + offset + ")", cause);
    this.file = file.toString();
    this.offset = offset;
    this.reason = reason;
  }

  /** A failure that names the recording: the same one if it does so itself. */
  static IOException of(Path file, long offset, Throwable failure) {
    return switch (failure) {
      case JfrFormatException named -> named;
      case FileSystemException named -> named;
      case UnreadableRecordingException named -> named;
      default -> new UnreadableRecordingException(file, offset, reason(failure), failure);
    };
  }

  /** The message alone tells enough where the system failed, and not where a program did. */
  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return failure instanceof IOException && message != null
        ? message
        : "reading it failed: " + failure;
  }

  public String file() {
    return file;
  }

  /** Bytes from the start of the file to the part that was being read. */
  public long offset() {
    return offset;
  }

  /** What happened, without the file and the offset. */
  public String reason() {
    return reason;
  }
}
