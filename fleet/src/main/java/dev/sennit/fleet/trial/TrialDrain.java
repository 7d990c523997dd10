/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import dev.sennit.intake.Encoding;
import dev.sennit.intake.MalformedException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what came out, from the begin of a topic and only what is committed. */
public final class TrialDrain implements AutoCloseable {
  private static final Duration ONE_LOOK = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Consumer<byte[], byte[]> consumer;

  public TrialDrain(String bootstrap, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = partitions(topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Whoever writes to the topic may be about to make it. */
  private List<TopicPartition> partitions(String topic) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    while (found.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(ONE_LOOK.toNanos());
      found = consumer.partitionsFor(topic);
    }
    if (found.isEmpty()) {
      consumer.close();
      throw new IllegalStateException("there is no topic " + topic);
    }
    return found.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
  }

  /** What has come meanwhile; it waits a moment for it. */
  public Iterable<ConsumerRecord<byte[], byte[]>> next() {
    return consumer.poll(ONE_LOOK);
  }

  /** Takes what has come meanwhile into a score. */
  public void into(FleetScore score) {
    for (ConsumerRecord<byte[], byte[]> record : next()) {
      try {
        score.add(
            Encoding.of(record.value())
                .read(record.value(), ExportTraceServiceRequest.getDefaultInstance()));
      } catch (MalformedException e) {
        throw new IllegalStateException("what came out is not OTLP: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
