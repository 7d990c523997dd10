/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ResourceDetector;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.otlp.ProtobufEncoder;
import java.time.Duration;
import java.util.Map;

/**
 * The OpenTelemetry resource of this process as OTLP has it: the one that the process has
 * published, which is the SDK's where there is one, else what can be found out. It is looked up
 * again from time to time, for an SDK may start later.
 */
final class ResourceMessage {
  private static final long LIFETIME_NANOS = Duration.ofSeconds(10).toNanos();

  private final ProcessContextReader reader = new ProcessContextReader();
  private Map<String, AttributeValue> attributes = Map.of();
  private long readAt;

  /** Writes the attributes of message {@code Resource}. */
  void writeTo(ProtobufEncoder encoder) {
    long now = System.nanoTime();
    if (attributes.isEmpty() || now - readAt > LIFETIME_NANOS) {
      attributes = read();
      readAt = now;
    }
    attributes.forEach((key, value) -> attribute(encoder, 1, key, value));
  }

  private Map<String, AttributeValue> read() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    return reader.read(pid) instanceof ProcessReading.Published published
            && !published.context().resource().isEmpty()
        ? published.context().resource()
        : ResourceDetector.detect().resource();
  }

  /** Writes a {@code KeyValue} in a field. */
  static void attribute(ProtobufEncoder encoder, int field, String key, AttributeValue value) {
    int attribute = encoder.beginMessage(field);
    encoder.writeString(1, key);
    int any = encoder.beginMessage(2);
    value(encoder, value);
    encoder.endMessage(any);
    encoder.endMessage(attribute);
  }

  private static void value(ProtobufEncoder encoder, AttributeValue value) {
    switch (value) {
      case AttributeValue.Text text -> encoder.writeString(1, text.value());
      case AttributeValue.Flag flag -> encoder.writeBoolField(2, flag.value());
      case AttributeValue.Whole whole -> encoder.writeVarintField(3, whole.value());
      case AttributeValue.Real real -> encoder.writeDoubleField(4, real.value());
      case AttributeValue.Array array -> {
        int values = encoder.beginMessage(5);
        for (AttributeValue each : array.values()) {
          int any = encoder.beginMessage(1);
          value(encoder, each);
          encoder.endMessage(any);
        }
        encoder.endMessage(values);
      }
      case AttributeValue.Entries entries -> {
        int list = encoder.beginMessage(6);
        entries.entries().forEach((key, each) -> attribute(encoder, 1, key, each));
        encoder.endMessage(list);
      }
      case AttributeValue.Bytes bytes -> encoder.writeBytes(7, bytes.value());
      case AttributeValue.Empty empty -> {}
    }
  }
}
