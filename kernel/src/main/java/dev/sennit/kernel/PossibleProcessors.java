/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many values a map with one per processor has: as many as there could ever be. */
final class PossibleProcessors {
  private static final Path FILE = Path.of("/sys/devices/system/cpu/possible");

  private PossibleProcessors() {}

  /** The file says {@code 0-3}, or {@code 0}, or a list of these. */
  static int count() {
    try {
      int count = 0;
      for (String range : Files.readString(FILE).strip().split(",")) {
        String[] ends = range.split("-");
        count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
