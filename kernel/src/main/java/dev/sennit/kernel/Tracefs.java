/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.libbpf.BpfException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the kernel says which tracepoints it has. */
final class Tracefs {
  private static final Path FOLDER = Path.of("/sys/kernel/tracing");
  private static final Path IN_DEBUGFS = Path.of("/sys/kernel/debug/tracing");

  private Tracefs() {}

  static boolean isMounted() {
    return Files.isDirectory(FOLDER.resolve("events"))
        || Files.isDirectory(IN_DEBUGFS.resolve("events"));
  }

  static void mountIfMissing() {
    if (isMounted()) {
      return;
    }
    long result = Libc.mount("tracefs", FOLDER.toString());
    // Another process may have done so at the same moment.
    if (result < 0 && !isMounted()) {
      throw new BpfException("tracefs cannot be mounted on " + FOLDER, (int) -result);
    }
  }
}
