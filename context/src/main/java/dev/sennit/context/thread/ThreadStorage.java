/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.ContextLog;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.process.AttributeValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One way of keeping thread contexts. Every method but the last two acts on the OS thread that runs
 * now, never throws and allocates nothing.
 */
abstract sealed class ThreadStorage
    permits ProfilerStorage, RingStorage, OtepStorage, SharedStorage {
  /**
   * Makes the storage that the options ask for, ready to write. Where the kernel gives no memory
   * for the ring, mode {@code profiler} takes its place and a line in the log says so.
   *
   * @throws IllegalStateException when {@code otep} is not to be had here
   */
  static ThreadStorage open(ContextOptions options) {
    ThreadStorage storage =
        switch (options.mode()) {
          case OTEL -> openRing(options.capacity());
          case OTEP -> new OtepStorage(exposedBlocks(), options.schemaVersion());
          case PROFILER -> new ProfilerStorage(ThreadBlocks.open());
        };
    // Every class and call site of the write path is ready before a virtual thread meets it: one
    // that had to wait for the other's class initialisation could leave its carrier in the middle
    // of a write.
    storage.set(1, 1, 1, 2, 0);
    storage.get(new ContextSnapshot());
    storage.clear();
    return storage;
  }

  private static ThreadStorage openRing(int capacity) {
    try {
      return RingStorage.create(ThreadBlocks.open(), capacity);
    } catch (MappingFailedException e) {
      ContextLog.warn("ctxstorage=otel falls back to profiler: " + e.getMessage());
      return new ProfilerStorage(ThreadBlocks.open());
    }
  }

  private static ThreadBlocks exposedBlocks() {
    @Nullable ThreadBlocks blocks = ThreadBlocks.openExposed();
    if (blocks == null) {
      throw new IllegalStateException(
          "ctxstorage=otep is not available: it needs the native library, and "
              + ThreadBlocks.nativeProblem());
    }
    return blocks;
  }

  abstract ContextStorageMode mode();

  /** Whether there are records to write to. */
  boolean isOpen() {
    return true;
  }

  /** Replaces the whole context; attributes of the one before go with it. */
  abstract void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags);

  abstract boolean get(ContextSnapshot into);

  /** Reads another thread of this process; false where the layout does not allow it. */
  abstract boolean getByTid(int tid, ContextSnapshot into);

  abstract long spanId();

  abstract long rootSpanId();

  abstract void clear();

  /** The operating system's number of the thread that runs this. */
  int tid() {
    return OsThread.id();
  }

  abstract AttributeOutcome setAttribute(AttributeKey key, String value);

  abstract @Nullable String getAttribute(AttributeKey key);

  /** How many keys can be announced. */
  abstract int maxAttributeKeys();

  /** What the process record must say so that readers find and understand the records. */
  abstract Map<String, AttributeValue> announcement(AttributeKeys keys);

  /** Withdraws the records; memory that a thread may still be writing to stays mapped. */
  abstract void close();
}
