/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.intake.Encoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Spans that wait, by their trace and, of those that came together, the first span. */
final class HeldSpans {
  private final KeyValueStore<Bytes, byte[]> store;

  HeldSpans(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** What came together is no larger than a request. */
  void put(TraceId trace, long firstSpan, Encoding encoding, List<Placed> spans) {
    Gathering gathering =
        new Gathering(
            request ->
                store.put(
                    key(trace, firstSpan),
                    ParcelSerdes.with(request, 2, out -> out.put(ParcelSerdes.code(encoding)))));
    spans.forEach(gathering::add);
    gathering.flush();
  }

  /** Takes out what waits of a trace. */
  void take(TraceId trace, BiConsumer<Encoding, Placed> consumer) {
    List<Bytes> taken = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> entries = store.range(key(trace, 0), key(trace, -1))) {
      while (entries.hasNext()) {
        KeyValue<Bytes, byte[]> entry = entries.next();
        ByteBuffer in = ParcelSerdes.open(entry.value);
        Encoding encoding = ParcelSerdes.encoding(in.get());
        RawRequest.forEach(ParcelSerdes.rest(in), placed -> consumer.accept(encoding, placed));
        taken.add(entry.key);
      }
    }
    taken.forEach(store::delete);
  }

  /** The traces of which something waits. */
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

  private static Bytes key(TraceId trace, long span) {
    ByteBuffer key = ByteBuffer.allocate(TraceId.LENGTH + Long.BYTES);
    trace.write(key);
    key.putLong(span);
    return Bytes.wrap(key.array());
  }
}
