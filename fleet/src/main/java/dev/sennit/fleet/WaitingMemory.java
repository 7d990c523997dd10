/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the traces take that wait, in all partitions of this process together: which of
 * them it has, and how many, changes as instances come and go.
 */
final class WaitingMemory {
  private final long most;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param most bytes; what waits beyond this is on disk
   */
  WaitingMemory(long most) {
    this.most = most;
  }

  /** A quarter of the heap. */
  static WaitingMemory ofThisProcess() {
    return new WaitingMemory(Runtime.getRuntime().maxMemory() / 4);
  }

  boolean hasRoom() {
    return taken.get() < most;
  }

  /** Takes bytes, or gives them back if there are fewer than none. */
  void take(long bytes) {
    taken.addAndGet(bytes);
  }
}
