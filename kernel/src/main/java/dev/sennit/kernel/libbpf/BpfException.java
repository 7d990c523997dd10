/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.libbpf;

import dev.sennit.context.memory.Errno;

/**
 * Something that the kernel or libbpf refused, with its error number and, of a program, its log.
 */
public final class BpfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int errno;
  private final String log;

  public BpfException(String what, int errno) {
    this(what, errno, "");
  }

  BpfException(String what, int errno, String log) {
    super(what + ": " + Errno.describe(errno) + (log.isEmpty() ? "" : "; " + summary(log)));
    this.errno = errno;
    this.log = log;
  }

  public int errno() {
    return errno;
  }

  /** All that the verifier said, or nothing. */
  public String log() {
    return log;
  }

  /** The verifier's verdict stands right before its count of instructions. */
  private static String summary(String log) {
    String[] lines = log.strip().split("\n");
    for (int i = lines.length - 1; i > 0; i--) {
      if (lines[i].startsWith("processed ")) {
        return "the verifier says: " + lines[i - 1].strip();
      }
    }
    return "the verifier says: " + lines[lines.length - 1].strip();
  }
}
