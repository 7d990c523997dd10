/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether processes live. */
final class Pids {
  private Pids() {}

  /** False also of one that has ended and that its parent has not yet asked about. */
  static boolean isRunning(int pid) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      // The name before the state is in parentheses and may hold some itself.
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException | IndexOutOfBoundsException e) {
      return false;
    }
  }
}
