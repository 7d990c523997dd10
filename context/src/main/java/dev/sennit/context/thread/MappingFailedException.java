/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.memory.Errno;

/** The kernel gave no memory for the ring. */
final class MappingFailedException extends Exception {
  private static final long serialVersionUID = 1;

  MappingFailedException(String what, long negativeErrno) {
    super(what + " failed: " + Errno.describe((int) -negativeErrno));
  }
}
