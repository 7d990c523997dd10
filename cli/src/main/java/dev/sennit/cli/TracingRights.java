/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Errno;
import dev.sennit.kernel.libbpf.BpfException;
import java.nio.file.AccessDeniedException;

/** What it takes to trace, said to whoever may not. */
final class TracingRights {
  private TracingRights() {}

  /** Whether something failed for want of rights. */
  static boolean isDenied(Exception failure) {
    return failure instanceof AccessDeniedException
        || (failure instanceof BpfException refused
            && (refused.errno() == Errno.EPERM || refused.errno() == Errno.EACCES));
  }

  /** The line for a failure to begin, with what it takes if rights are missing. */
  static CommandFailure failure(String command, Exception failure) {
    return CommandFailure.wrongInput(line(command, failure));
  }

  /** The same as a line alone. */
  static String line(String command, Exception failure) {
    String line =
        switch (failure) {
          case AccessDeniedException denied -> denied.getFile() + ": permission denied";
          case BpfException refused -> String.valueOf(refused.getMessage());
          default -> String.valueOf(failure);
        };
    return isDenied(failure) ? line + needs(command) : line;
  }

  private static String needs(String command) {
    return "; tracing needs root, or CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN and a cgroup to write to;"
        + (" try: sudo " + Main.COMMAND + " " + command);
  }
}
