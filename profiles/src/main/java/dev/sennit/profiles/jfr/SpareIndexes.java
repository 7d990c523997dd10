/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The large indexes of chunks that have been read, for the next ones: each chunk needs one of its
 * own of several megabytes, and new ones would fill the heap before a collector comes by. Safe for
 * use by several threads.
 */
final class SpareIndexes {
  private static final int SMALLEST = 1 << 12;
  private static final int LARGEST = 1 << 20;
  private static final int MOST = Runtime.getRuntime().availableProcessors();

  private final Deque<PoolIndex> spares = new ArrayDeque<>();

  /** An empty index. */
  synchronized PoolIndex take() {
    @Nullable PoolIndex spare = spares.poll();
    return spare == null ? new PoolIndex() : spare;
  }

  /** Takes an index back, which nobody uses any more; what is small or many is dropped. */
  void give(PoolIndex index) {
    if (index.slots() < SMALLEST || index.slots() > LARGEST) {
      return;
    }
    index.reset();
    synchronized (this) {
      if (spares.size() < MOST) {
        spares.push(index);
      }
    }
  }
}
