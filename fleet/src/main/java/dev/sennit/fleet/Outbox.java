/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.intake.Encoding;
import dev.sennit.tracing.Counters;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** What comes of one record, gathered into few: spans that are done, halves, and letters. */
final class Outbox {
  /** Brokers take a megabyte by default. */
  private static final int LARGEST_VALUE = 1_000_000;

  private final ProcessorContext<Integer, Parcel> context;
  private final int partitions;
  private final Counters<FleetCount> counters;
  private final Map<Encoding, Gathering> finished = new EnumMap<>(Encoding.class);
  private final Map<Integer, Gathering> halves = new HashMap<>();
  private final LetterBox letters;
  private long sentAt;
  private long clock;

  Outbox(ProcessorContext<Integer, Parcel> context, int partitions, Counters<FleetCount> counters) {
    this.context = context;
    this.partitions = partitions;
    this.counters = counters;
    letters = new LetterBox(partitions);
    for (Encoding encoding : Encoding.values()) {
      finished.put(encoding, new Gathering(request -> finish(encoding, request)));
    }
  }

  /**
   * From now on something goes out.
   *
   * @param newSentAt when it came
   * @param newClock how far time has come here
   */
  void open(long newSentAt, long newClock) {
    sentAt = newSentAt;
    clock = newClock;
  }

  void finished(Encoding encoding, Placed placed) {
    Objects.requireNonNull(finished.get(encoding)).add(placed);
  }

  void half(InetSocketAddress client, Placed half) {
    halves
        .computeIfAbsent(
            Buckets.ofClientEnd(client, partitions),
            bucket -> new Gathering(request -> compare(bucket, request)))
        .add(half);
  }

  void letter(Letter letter) {
    letters.add(letter);
  }

  /** Everything goes. */
  void close() {
    finished.values().forEach(Gathering::flush);
    halves.values().forEach(Gathering::flush);
    letters.flush((bucket, parcel) -> context.forward(new Record<>(bucket, parcel, sentAt)));
  }

  private void compare(int bucket, ByteString request) {
    Parcel halvesThere = new Parcel.Halves(context.taskId().partition(), clock, request);
    context.forward(new Record<>(bucket, halvesThere, sentAt));
  }

  /** What is too large as JSON goes in parts, and a single span to the dead letters. */
  private void finish(Encoding encoding, ByteString request) {
    byte[] value = RawRequest.encoded(encoding, request);
    if (value.length <= LARGEST_VALUE) {
      context.forward(new Record<>(0, new Parcel.Finished(value), sentAt));
      return;
    }
    int[] spans = new int[1];
    RawRequest.forEach(request, placed -> spans[0]++);
    if (spans[0] == 1) {
      counters.add(FleetCount.DEAD_LETTERS);
      context.forward(
          DeadLetters.record(
              value,
              "a span has " + value.length + " bytes, at most " + LARGEST_VALUE + " can be sent",
              sentAt,
              context.recordMetadata()));
      return;
    }
    Gathering first = new Gathering(part -> finish(encoding, part));
    Gathering second = new Gathering(part -> finish(encoding, part));
    int[] seen = new int[1];
    RawRequest.forEach(request, placed -> (seen[0]++ < spans[0] / 2 ? first : second).add(placed));
    first.flush();
    second.flush();
  }
}
