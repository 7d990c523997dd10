/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not a flight recording, or is one that contradicts itself; says where and how. */
public final class JfrFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String reason;

  JfrFormatException(Path file, long offset, String reason) {
    super(file + ": " + reason + " (at offset " + offset + ")");
    this.file = file.toString();
    this.offset = offset;
    this.reason = reason;
  }

  public String file() {
    return file;
  }

  /** Bytes from the start of the file. */
  public long offset() {
    return offset;
  }

  /** What was wrong, without the file and the offset. */
  public String reason() {
    return reason;
  }
}
