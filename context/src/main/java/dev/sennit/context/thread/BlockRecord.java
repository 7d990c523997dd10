/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/** Finds the record that lies at a fixed place in the current OS thread's block. */
final class BlockRecord {
  private final ThreadBlocks blocks;
  private final int offset;
  private final ThreadLocal<Place> places = ThreadLocal.withInitial(() -> new Place(ask()));

  /** The record of a platform thread. */
  private record Place(long address) {}

  BlockRecord(ThreadBlocks blocks, int offset) {
    this.blocks = blocks;
    this.offset = offset;
  }

  /** Address of the record; 0 when there is no memory for one. */
  long address() {
    return Thread.currentThread().isVirtual() ? ask() : places.get().address;
  }

  private long ask() {
    long block = blocks.current();
    return block == 0 ? 0 : block + offset;
  }
}
