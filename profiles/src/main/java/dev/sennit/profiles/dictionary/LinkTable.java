/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import java.util.Arrays;

/** The spans that samples belong to; 0 is none. Not safe for use by several threads. */
public final class LinkTable {
  private final HashIndex index = new HashIndex();
  private long[] traceIdsHigh = new long[32];
  private long[] traceIdsLow = new long[32];
  private long[] spanIds = new long[32];

  /** The index of the link, added now if it is new; all zero is 0. */
  public int intern(long traceIdHigh, long traceIdLow, long spanId) {
    if ((traceIdHigh | traceIdLow | spanId) == 0) {
      return 0;
    }
    int hash = HashIndex.spread(HashIndex.mix(HashIndex.mix(traceIdHigh, traceIdLow), spanId));
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        entry = index.insert(slot, hash);
        reserve(entry);
        traceIdsHigh[entry] = traceIdHigh;
        traceIdsLow[entry] = traceIdLow;
        spanIds[entry] = spanId;
        return entry;
      }
      if (entry > 0
          && spanIds[entry] == spanId
          && traceIdsLow[entry] == traceIdLow
          && traceIdsHigh[entry] == traceIdHigh) {
        return entry;
      }
    }
  }

  /**
   * The link of a tracer that knows 64-bit ids only: the local root's span id stands for the trace,
   * in the low half of the trace id. Without either id there is no link.
   */
  public int intern(long spanId, long rootSpanId) {
    return spanId == 0 || rootSpanId == 0 ? 0 : intern(0, rootSpanId, spanId);
  }

  public long traceIdHigh(int entry) {
    return traceIdsHigh[entry];
  }

  public long traceIdLow(int entry) {
    return traceIdsLow[entry];
  }

  public long spanId(int entry) {
    return spanIds[entry];
  }

  public int size() {
    return index.size();
  }

  public void reset() {
    index.reset();
  }

  private void reserve(int entry) {
    if (entry == spanIds.length) {
      traceIdsHigh = Arrays.copyOf(traceIdsHigh, entry * 2);
      traceIdsLow = Arrays.copyOf(traceIdsLow, entry * 2);
      spanIds = Arrays.copyOf(spanIds, entry * 2);
    }
  }
}
