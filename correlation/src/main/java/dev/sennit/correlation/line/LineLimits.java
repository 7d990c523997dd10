/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import java.time.Duration;

/**
 * How much is held of lines that may go on.
 *
 * @param lineBytes a line that is longer is cut
 * @param bytes of all lines that are held; then the oldest goes out as it is
 * @param writers how many threads are known at a time with the descriptors that they write to
 * @param patience how long a line waits for what may belong to it
 */
public record LineLimits(int lineBytes, int bytes, int writers, Duration patience) {
  public LineLimits {
    if (lineBytes < 1 || bytes < lineBytes || writers < 1 || patience.isNegative()) {
      throw new IllegalArgumentException(
          "lines of "
              + lineBytes
              + " bytes, "
              + bytes
              + " in all, "
              + writers
              + " writers, "
              + patience
              + ": at least 1, of bytes as many as of a line, and no negative time");
    }
  }

  /** Lines of 64 KiB, 16 MiB in all, and a fifth of a second. */
  public static LineLimits defaults() {
    return new LineLimits(64 << 10, 16 << 20, 8192, Duration.ofMillis(200));
  }
}
