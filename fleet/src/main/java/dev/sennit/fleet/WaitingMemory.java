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
  private final long mostSpans;
  private final long mostTraces;
  private final AtomicLong spans = new AtomicLong();
  private final AtomicLong traces = new AtomicLong();

  /**
   * @param mostSpans bytes of spans; those that wait beyond this are on disk
   * @param mostTraces bytes of what is known of traces; beyond this the oldest wait no longer
   */
  WaitingMemory(long mostSpans, long mostTraces) {
    this.mostSpans = mostSpans;
    this.mostTraces = mostTraces;
  }

  /** A quarter of the heap for each. */
  static WaitingMemory ofThisProcess() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return new WaitingMemory(quarter, quarter);
  }

  /** Whether there is room for more spans. */
  boolean hasRoom() {
    return spans.get() < mostSpans;
  }

  /** Whether more traces wait than there is room for. */
  boolean isFull() {
    return traces.get() > mostTraces;
  }

  /** Takes bytes, or gives them back if there are fewer than none. */
  void take(long ofSpans, long ofTraces) {
    spans.addAndGet(ofSpans);
    traces.addAndGet(ofTraces);
  }
}
