/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The traces of a partition that have their names, on disk. What is old is found by going through a
 * slice of the keys at a time: ids are spread evenly, and every key is looked at once in a
 * retention.
 */
final class NamedTraces {
  private static final int SLICES = 4096;
  private static final int SLICE_BITS = 12;

  private final KeyValueStore<Bytes, byte[]> store;
  private final long retention;
  private int slice;

  /** What part of a slice is left over from the looks before. */
  private double share;

  NamedTraces(KeyValueStore<Bytes, byte[]> store, Duration retention) {
    this.store = store;
    this.retention = retention.toMillis();
  }

  @Nullable TraceState get(TraceId trace) {
    byte[] bytes = store.get(Bytes.wrap(trace.bytes()));
    return bytes == null ? null : TraceState.of(trace, bytes);
  }

  void put(TraceState state) {
    store.put(Bytes.wrap(state.trace.bytes()), state.bytes());
  }

  /** Forgets the old ones among as many as it is time for. */
  void forgetSome(long time, Duration sinceLast) {
    share += (double) SLICES * sinceLast.toMillis() / retention;
    for (; share >= 1; share--) {
      forget(slice, time - retention);
      slice = (slice + 1) % SLICES;
    }
  }

  private void forget(int number, long until) {
    long first = (long) number << (Long.SIZE - SLICE_BITS);
    long last = first | (-1L >>> SLICE_BITS);
    List<Bytes> old = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries =
        store.range(
            Bytes.wrap(new TraceId(first, 0).bytes()), Bytes.wrap(new TraceId(last, -1).bytes()))) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        if (TraceState.isOld(entry.value, until)) {
          old.add(entry.key);
        }
      }
    }
    old.forEach(store::delete);
  }
}
