/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.tracing.Counters;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The way of spans through the fleet's stitcher.
 *
 * <pre>
 *   in ──▶ split ──spans, by trace──▶ name ──────────────────────────────▶ out
 *            │                        ▲  ▲│└──halves, by client's end──▶ pair
 *            ▼                        │  ││                               │
 *       dead letters                  │  └┴────letters, by trace──────────┤
 *                                     └─────────────letters, by trace─────┘
 * </pre>
 *
 * <p><b>split</b> ({@link RecordSplitter}) holds nothing. It sends spans to the partition of their
 * trace, those of one record that go to one partition together.
 *
 * <p><b>name</b> ({@link TraceNames}) holds what traces are called, and the spans of those that
 * have no name yet. A trace whose root has come and is no SERVER span without ids has its own name,
 * and all of it passes at once. If the root is such a span, the trace waits for what <i>pair</i>
 * says about it; if the root has not come, for that, as long as window and grace. A span that came
 * before is dropped. What waits is in memory, as far as there is room. Of every span that may be
 * one side of a pair, the half that is compared goes to <i>pair</i>.
 *
 * <p><b>pair</b> ({@link PairFinder}) holds the halves of window and grace, and the stitcher. It
 * says of each root, once, which CLIENT span is its other side, or that none is for certain.
 *
 * <p><b>letters</b> carry that back, and more: a trace T that was found to continue U asks U for
 * its name, and U, which may itself wait for the name of another, answers when it has one. So a
 * chain of any length gets the name of its first, one letter for each link, and no partition has to
 * know anything of the others. A name never changes once it is given: who comes too late keeps its
 * own.
 *
 * <p>Every step reads, changes its stores and writes in one transaction of Kafka. What an instance
 * had begun when it ended is begun again from the stores as they were: no span is lost, and none
 * goes out twice.
 */
final class FleetTopology {
  /** Segments of a window store are dropped when they are as old as this. */
  private static final Duration LEAST_JOURNAL = Duration.ofMinutes(1);

  /** Nearly all of it is deleted after seconds, and is not to be read again by the next owner. */
  private static final Map<String, String> SOON_OUTDATED =
      Map.of(
          "segment.bytes",
          Integer.toString(128 << 20),
          "delete.retention.ms",
          Long.toString(Duration.ofHours(1).toMillis()));

  private final FleetSettings settings;
  private final Counters<FleetCount> counters;
  private final WaitingMemory memory;

  FleetTopology(FleetSettings settings, Counters<FleetCount> counters, WaitingMemory memory) {
    this.settings = settings;
    this.counters = counters;
    this.memory = memory;
  }

  Topology build() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<Integer, Parcel> split =
        builder.stream(settings.in(), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
            .process(() -> new RecordSplitter(settings.partitions(), counters), Named.as("split"));
    KStream<Integer, Parcel> spans =
        spread(split, "spans", Parcel.Spans.class, ParcelSerdes.spans()).mapValues(p -> p);
    KStream<Integer, Parcel> letters =
        builder.stream(settings.letters(), Consumed.with(Serdes.Integer(), ParcelSerdes.letters()))
            .mapValues(parcel -> parcel);

    KStream<Integer, Parcel> named =
        spans
            .merge(letters)
            .process(
                with(
                    () -> new TraceNames(settings, counters, memory),
                    Set.of(waiting(), keyed(TraceNames.WAITING_ON_DISK), keyed(TraceNames.NAMED))),
                Named.as("name"));
    KStream<Integer, Parcel.Letters> found =
        spread(named, "halves", Parcel.Halves.class, ParcelSerdes.halves())
            .process(
                with(
                    () -> new PairFinder(settings),
                    Set.of(told(), keyed(Journal.ANSWERED).withCachingEnabled())),
                Named.as("pair"));

    only(named, Parcel.Letters.class)
        .merge(found)
        .to(
            settings.letters(),
            Produced.with(Serdes.Integer(), ParcelSerdes.letters())
                .withStreamPartitioner(Buckets.partitioner()));
    anywhere(only(named, Parcel.Finished.class).mapValues(Parcel.Finished::value), settings.out());
    anywhere(
        only(split, Parcel.Dead.class)
            .merge(only(named, Parcel.Dead.class))
            .mapValues(Parcel.Dead::value),
        settings.deadLetter());
    return builder.build();
  }

  private static <P extends Parcel> KStream<Integer, P> only(
      KStream<Integer, Parcel> from, Class<P> kind) {
    return from.filter((bucket, parcel) -> kind.isInstance(parcel)).mapValues(kind::cast);
  }

  /** Without a key, for the partitions of the topic are its owner's business. */
  private static void anywhere(KStream<Integer, byte[]> from, String topic) {
    from.map((bucket, value) -> KeyValue.<byte[], byte[]>pair(null, value))
        .to(topic, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
  }

  private <P extends Parcel> KStream<Integer, P> spread(
      KStream<Integer, Parcel> from, String name, Class<P> kind, Serde<P> serde) {
    return only(from, kind)
        .repartition(
            Repartitioned.with(Serdes.Integer(), serde)
                .withName(name)
                .withNumberOfPartitions(settings.partitions())
                .withStreamPartitioner(Buckets.partitioner()));
  }

  /** In memory, so that it is read from its topic by whoever gets the partition. */
  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> waiting() {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(TraceNames.WAITING), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingEnabled(SOON_OUTDATED);
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> keyed(String name) {
    return Stores.keyValueStoreBuilder(
        Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray());
  }

  private StoreBuilder<?> told() {
    Duration needed = settings.waiting().plus(settings.window()).multipliedBy(2);
    Duration kept = needed.compareTo(LEAST_JOURNAL) < 0 ? LEAST_JOURNAL : needed;
    return Stores.windowStoreBuilder(
        Stores.persistentWindowStore(Journal.HALVES, kept, kept, false),
        Serdes.Long(),
        Serdes.ByteArray());
  }

  private static <K, V, L, W> ProcessorSupplier<K, V, L, W> with(
      Supplier<Processor<K, V, L, W>> processor, Set<StoreBuilder<?>> stores) {
    return new ProcessorSupplier<>() {
      @Override
      public Processor<K, V, L, W> get() {
        return processor.get();
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return stores;
      }
    };
  }
}
