/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Spans that wait: the first with the state of their trace, if that is in memory, others here. */
final class HeldSpans {
  private final KeyValueStore<Bytes, byte[]> store;

  HeldSpans(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  void put(TraceId trace, TraceState state, Encoding encoding, List<Placed> spans) {
    Gathering gathering =
        new Gathering(
            request -> {
              byte[] part =
                  ParcelSerdes.with(request, 2, out -> out.put(ParcelSerdes.code(encoding)));
              if (!state.hold(part)) {
                store.put(key(trace, state.parts++), part);
              }
            });
    spans.forEach(gathering::add);
    gathering.flush();
  }

  /** Takes out what waits of a trace. */
  void take(TraceId trace, TraceState state, BiConsumer<Encoding, Placed> consumer) {
    state.held.forEach(part -> open(part, consumer));
    state.held.clear();
    for (int i = 0; i < state.parts; i++) {
      open(Objects.requireNonNull(store.delete(key(trace, i))), consumer);
    }
    state.parts = 0;
  }

  private static void open(byte[] part, BiConsumer<Encoding, Placed> consumer) {
    ByteBuffer in = ParcelSerdes.open(part);
    Encoding encoding = ParcelSerdes.encoding(in.get());
    RawRequest.forEach(ParcelSerdes.rest(in), placed -> consumer.accept(encoding, placed));
  }

  /** The traces of which something waits here. */
  void traces(Consumer<TraceId> consumer) {
    TraceId last = null;
    try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
      while (entries.hasNext()) {
        TraceId trace = TraceId.read(ByteBuffer.wrap(entries.next().key.get()));
        if (!trace.equals(last)) {
          consumer.accept(trace);
        }
        last = trace;
      }
    }
  }

  private static Bytes key(TraceId trace, int part) {
    ByteBuffer key = ByteBuffer.allocate(TraceId.LENGTH + Integer.BYTES);
    trace.write(key);
    key.putInt(part);
    return Bytes.wrap(key.array());
  }
}
