/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.thread.OtepRecordDescriptor;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where the threads of a process have the pointer to their record of mode {@code otep}, for a
 * reader that runs in the thread itself, as a program of the kernel does.
 */
public final class ThreadRecordPlace {
  private ThreadRecordPlace() {}

  /**
   * The distance of the pointer from the thread pointer, the same for all threads; empty where the
   * process has no such variable, or has it in a block that each thread finds elsewhere.
   */
  public static OptionalLong distanceFromThreadPointer(int pid) {
    try (ProcessMemory memory = ProcessMemory.of(pid);
        MemoryCopy copy = new MemoryCopy(memory)) {
      TlsLocator.Result result = TlsLocator.locate(copy, OtepRecordDescriptor.SYMBOL);
      if (result instanceof TlsLocator.Result.Found(Set<TlsLocation> locations)
          && locations.size() == 1
          && locations.iterator().next() instanceof TlsLocation.Static(long offset)) {
        return OptionalLong.of(offset);
      }
      return OptionalLong.empty();
    }
  }
}
