/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

/** Where each thread of a process has its copy of a thread-local variable. */
sealed interface TlsLocation {
  /** The address in the thread whose thread pointer is given; 0 when the thread has no copy yet. */
  long address(MemoryCopy copy, long threadPointer);

  /** In the block that every thread is born with, at a fixed distance from its thread pointer. */
  record Static(long offset) implements TlsLocation {
    @Override
    public long address(MemoryCopy copy, long threadPointer) {
      return threadPointer + offset;
    }
  }

  /** In the block of a library that was loaded later. */
  record Dynamic(TlsAbi abi, long module, long offset, long generation) implements TlsLocation {
    @Override
    public long address(MemoryCopy copy, long threadPointer) {
      long block = abi.block(copy, threadPointer, module, generation);
      return block == 0 ? 0 : block + offset;
    }
  }
}
