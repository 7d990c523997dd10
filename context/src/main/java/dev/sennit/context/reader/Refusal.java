/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.memory.ProcessMemory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Says why a process cannot be read. */
final class Refusal {
  private static final String ADVICE = "; run as its user or as root";

  private Refusal() {}

  /** What a failed or short read of {@link ProcessMemory} means. */
  static ThreadReading.Unavailable of(int pid, long result) {
    int errno = result < 0 ? (int) -result : Errno.EFAULT;
    if (errno == Errno.ESRCH || !Proc.exists(pid)) {
      return gone(pid);
    }
    String advice = errno == Errno.EPERM || errno == Errno.EACCES ? ADVICE : "";
    return new ThreadReading.Unavailable(
        "the memory of process " + pid + " cannot be read: " + Errno.describe(errno) + advice);
  }

  /** What a failure to read a file of {@code /proc/PID} means. */
  static ThreadReading.Unavailable of(int pid, IOException e) {
    if (e instanceof NoSuchFileException || !Proc.exists(pid)) {
      return gone(pid);
    }
    return new ThreadReading.Unavailable(
        "process "
            + pid
            + " cannot be read: "
            + (e instanceof AccessDeniedException denied
                ? "no permission for " + denied.getFile() + ADVICE
                : String.valueOf(e.getMessage())));
  }

  private static ThreadReading.Unavailable gone(int pid) {
    return new ThreadReading.Unavailable("process " + pid + " does not exist");
  }
}
