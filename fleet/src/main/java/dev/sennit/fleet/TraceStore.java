/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The traces of a partition. Those that wait are in memory, as far as there is room, for they are
 * asked for several times within seconds; those that have their names are on disk. When they are no
 * longer to wait is in memory as well, by time. What is old is found by going through a slice of
 * the keys at a time: ids are spread evenly, and every key is looked at once in a retention.
 */
final class TraceStore {
  private static final int SLICES = 4096;
  private static final int SLICE_BITS = 12;

  /** What the memory takes for a trace beside its bytes. */
  private static final int OVERHEAD = 200;

  private record Due(long time, TraceId trace) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(time, other.time);
    }
  }

  private final KeyValueStore<Bytes, byte[]> waiting;
  private final KeyValueStore<Bytes, byte[]> store;
  private final long retention;
  private final WaitingMemory memory;
  private final PriorityQueue<Due> dues = new PriorityQueue<>();
  private int slice;

  /** What part of a slice is left over from the looks before. */
  private double share;

  /** How much the traces of this partition take in memory. */
  private long bytes;

  TraceStore(
      KeyValueStore<Bytes, byte[]> waiting,
      KeyValueStore<Bytes, byte[]> store,
      Duration retention,
      WaitingMemory memory) {
    this.waiting = waiting;
    this.store = store;
    this.retention = retention.toMillis();
    this.memory = memory;
    try (KeyValueIterator<Bytes, byte[]> entries = waiting.all()) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        take(OVERHEAD + entry.value.length);
        wakeAt(
            TraceState.of(entry.value, true).due, TraceId.read(ByteBuffer.wrap(entry.key.get())));
      }
    }
  }

  /** A trace that nothing is known of. */
  TraceState create(TraceId trace) {
    return new TraceState(trace, memory.hasRoom());
  }

  @Nullable TraceState get(TraceId trace) {
    Bytes key = Bytes.wrap(trace.bytes());
    byte[] inMemory = waiting.get(key);
    if (inMemory != null) {
      return TraceState.of(inMemory, true);
    }
    byte[] onDisk = store.get(key);
    return onDisk == null ? null : TraceState.of(onDisk, false);
  }

  /** Puts what {@link #create} or {@link #get} gave, once. */
  void put(TraceId trace, TraceState state) {
    Bytes key = Bytes.wrap(trace.bytes());
    byte[] value = state.bytes();
    boolean wasInMemory = state.inMemory && state.size > 0;
    if (wasInMemory) {
      take(-(OVERHEAD + state.size));
    }
    if (state.inMemory && state.stage != TraceState.Stage.NAMED) {
      take(OVERHEAD + value.length);
      waiting.put(key, value);
      return;
    }
    if (wasInMemory) {
      waiting.delete(key);
    }
    store.put(key, value);
  }

  private void take(int more) {
    bytes += more;
    memory.take(more);
  }

  /** Gives the memory back to others. */
  void close() {
    memory.take(-bytes);
    bytes = 0;
  }

  void wakeAt(long time, TraceId trace) {
    dues.add(new Due(time, trace));
  }

  /** All that are to wait no longer. */
  void due(long time, BiConsumer<TraceId, TraceState> consumer) {
    for (Due due = dues.peek(); due != null && due.time <= time; due = dues.peek()) {
      dues.remove();
      TraceState state = get(due.trace);
      if (state == null || state.stage == TraceState.Stage.NAMED) {
        continue;
      }
      if (state.due > time) {
        wakeAt(state.due, due.trace);
      } else {
        consumer.accept(due.trace, state);
      }
    }
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
