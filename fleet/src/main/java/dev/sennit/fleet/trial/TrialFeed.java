/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import dev.sennit.intake.Encoding;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends what hosts send, as their Collectors would: each to a partition, and with its time. */
public final class TrialFeed implements AutoCloseable {
  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final int partitions;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  public TrialFeed(String bootstrap, String topic) {
    this.topic = topic;
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "linger.ms",
                20,
                "batch.size",
                256 << 10,
                "compression.type",
                "lz4"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    partitions = producer.partitionsFor(topic).size();
  }

  /** Sends a batch; every tenth host speaks JSON. */
  public void send(HostBatch batch) {
    Encoding encoding = batch.host() % 10 == 9 ? Encoding.JSON : Encoding.PROTOBUF;
    var _ =
        producer.send(
            new ProducerRecord<>(
                topic,
                batch.host() % partitions,
                batch.time(),
                null,
                encoding.write(batch.request())),
            (metadata, thrown) -> {
              if (thrown != null) {
                failure.compareAndSet(null, thrown);
              }
            });
  }

  /** Waits until the broker has everything. */
  @Override
  public void close() {
    producer.close();
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("not everything was sent: " + thrown.getMessage(), thrown);
    }
  }
}
