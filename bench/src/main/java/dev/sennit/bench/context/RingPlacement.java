/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.RingDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the slots of the measuring threads lie. A cache line holds two slots, and whether two
 * threads share one is a matter of the tids they happen to get; a benchmark must not be left to
 * that. The format has {@code tid % capacity}, so the capacity decides.
 */
final class RingPlacement {
  /** Mode {@code otel} with the slots of the threads side by side in a cache line. */
  static final String SHARED_LINE = "otel-shared-line";

  private static final int CACHE_LINE = 64;

  private final List<Integer> tids = new ArrayList<>();

  /** Another thread that measures. */
  synchronized void add(int tid) {
    tids.add(tid);
  }

  /** The options of a mode, or of {@link #SHARED_LINE}. */
  synchronized ContextOptions options(String mode) {
    if (mode.equals(SHARED_LINE)) {
      return ContextOptions.parse("ctxstorage=otel,ctxcapacity=" + capacity(1));
    }
    // In other modes the capacity has no meaning.
    return ContextOptions.parse("ctxstorage=" + mode + ",ctxcapacity=" + capacity(tids.size()));
  }

  /** The largest capacity, up to the default, that puts the threads' slots in so many lines. */
  private int capacity(int lines) {
    for (int capacity = ContextOptions.DEFAULT_CAPACITY; capacity >= tids.size(); capacity--) {
      int slots = capacity;
      long distinctSlots = tids.stream().map(tid -> tid % slots).distinct().count();
      long distinctLines =
          tids.stream()
              .map(tid -> RingDescriptor.slotOffset(tid, slots) / CACHE_LINE)
              .distinct()
              .count();
      if (distinctSlots == tids.size() && distinctLines == lines) {
        return capacity;
      }
    }
    throw new IllegalStateException(
        "no capacity puts the slots of " + tids + " into " + lines + " cache line(s)");
  }
}
