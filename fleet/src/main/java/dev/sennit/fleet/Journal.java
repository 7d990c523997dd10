/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.fleet.Parcel.Halves;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;

/**
 * What a stitcher was told, in order, and until when it has answered. The oldest of it is dropped
 * with its window.
 */
final class Journal {
  static final String HALVES = "halves-told";
  static final String ANSWERED = "answered-until";

  private static final Bytes ONLY = Bytes.wrap(new byte[1]);

  private final WindowStore<Long, byte[]> halves;
  private final KeyValueStore<Bytes, byte[]> answered;
  private long next;

  Journal(ProcessorContext<?, ?> context) {
    halves = context.getStateStore(HALVES);
    answered = context.getStateStore(ANSWERED);
  }

  /**
   * Adds what the stitcher is told.
   *
   * @param sentAt when it came; what is much older is dropped
   */
  void write(Halves told, long sentAt) {
    halves.put(next++, ParcelSerdes.bytes(told), Math.max(told.clock(), sentAt));
  }

  void answered(long time) {
    answered.put(ONLY, ByteBuffer.allocate(Long.BYTES).putLong(time).array());
  }

  /** 0 if it never has. */
  long answeredUntil() {
    byte[] bytes = answered.get(ONLY);
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
  }

  void replay(Consumer<Halves> listener) {
    try (KeyValueIterator<Windowed<Long>, byte[]> entries =
        halves.fetchAll(Instant.EPOCH, Instant.ofEpochMilli(Long.MAX_VALUE))) {
      while (entries.hasNext()) {
        KeyValue<Windowed<Long>, byte[]> entry = entries.next();
        next = Math.max(next, entry.key.key() + 1);
        listener.accept(ParcelSerdes.halves(entry.value));
      }
    }
  }
}
