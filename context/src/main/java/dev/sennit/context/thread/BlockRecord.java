/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ThreadPlaces.Place;

/** Finds the record that lies at a fixed place in the current OS thread's block. */
final class BlockRecord {
  private final ThreadBlocks blocks;
  private final int offset;
  private final ThreadPlaces places = new ThreadPlaces(this::placeOfThread);

  BlockRecord(ThreadBlocks blocks, int offset) {
    this.blocks = blocks;
    this.offset = offset;
  }

  /** Address of the record; 0 when there is no memory for one. */
  long address() {
    Place place = places.current();
    return place == null ? ask() : place.address();
  }

  private Place placeOfThread(long threadId) {
    return new Place(threadId, ask(), OsThread.id());
  }

  private long ask() {
    long block = blocks.current();
    return block == 0 ? 0 : block + offset;
  }
}
