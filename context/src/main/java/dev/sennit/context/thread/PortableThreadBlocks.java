/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.OsThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Blocks without the native library: elsewhere than Linux, or where it cannot be loaded. A block
 * lives as long as its platform thread; nothing happens at the moment that thread ends.
 */
final class PortableThreadBlocks extends ThreadBlocks {
  private static final int ALIGNMENT = 64;

  private final ThreadLocal<MemorySegment> platform =
      ThreadLocal.withInitial(() -> allocate(Arena.ofAuto(), OsThread.id()));

  /** Carriers are few and live as long as the process. */
  private final ConcurrentHashMap<Integer, MemorySegment> carriers = new ConcurrentHashMap<>();

  @Override
  long current() {
    if (!Thread.currentThread().isVirtual()) {
      return platform.get().address();
    }
    int tid = OsThread.id();
    return tid == 0
        ? 0
        : carriers.computeIfAbsent(tid, id -> allocate(Arena.global(), id)).address();
  }

  @Override
  boolean clearsAtThreadEnd() {
    return false;
  }

  private static MemorySegment allocate(Arena arena, int tid) {
    MemorySegment block = arena.allocate(ThreadBlockDescriptor.LENGTH, ALIGNMENT);
    Memory.putInt(block.address() + ThreadBlockDescriptor.TID_OFFSET, tid);
    return block;
  }
}
