/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * What could not go the usual way, as a record whose headers say why and where it came from. Of
 * what is large only the begin is kept: the topic it came from has the rest.
 */
final class DeadLetters {
  static final String REASON = "sennit.reason";
  static final String TOPIC = "sennit.topic";
  static final String PARTITION = "sennit.partition";
  static final String OFFSET = "sennit.offset";
  static final String SIZE = "sennit.size";

  /** The most that is kept of a value. */
  static final int LARGEST = 256 * 1024;

  private DeadLetters() {}

  static Record<Integer, Parcel> record(
      byte[] value, String reason, long time, Optional<RecordMetadata> origin) {
    Headers headers = new RecordHeaders();
    add(headers, REASON, reason);
    origin.ifPresent(
        metadata -> {
          add(headers, TOPIC, metadata.topic());
          add(headers, PARTITION, Integer.toString(metadata.partition()));
          add(headers, OFFSET, Long.toString(metadata.offset()));
        });
    add(headers, SIZE, Integer.toString(value.length));
    byte[] kept = value.length <= LARGEST ? value : Arrays.copyOf(value, LARGEST);
    return new Record<>(0, new Parcel.Dead(kept), time, headers);
  }

  private static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
