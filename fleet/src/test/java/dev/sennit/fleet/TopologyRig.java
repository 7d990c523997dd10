/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.intake.Encoding;
import dev.sennit.tracing.Counters;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The topology with a clock that the test moves, and no broker. */
final class TopologyRig implements AutoCloseable {
  static final Instant BEGIN = Instant.ofEpochSecond(1_790_000_000);
  static final Duration WINDOW = Duration.ofSeconds(1);
  static final Duration GRACE = Duration.ofSeconds(10);
  static final Duration RETENTION = Duration.ofMinutes(10);

  final Counters<FleetCount> counters = new Counters<>(FleetCount.class);
  private final FleetSettings settings =
      new FleetSettings("rig", "in", "out", "dead", 1, WINDOW, GRACE, RETENTION);
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> in;
  private final TestOutputTopic<byte[], byte[]> out;
  private final TestOutputTopic<byte[], byte[]> dead;
  private Instant now = BEGIN;

  /**
   * @param mostWaitingBytes so much waits in memory
   */
  TopologyRig(Path state, long mostWaitingBytes) {
    Properties properties = new Properties();
    properties.setProperty("state.dir", state.toString());
    properties.setProperty("max.task.idle.ms", "-1");
    driver =
        new TopologyTestDriver(
            new FleetTopology(
                    settings, counters, new WaitingMemory(mostWaitingBytes, Long.MAX_VALUE))
                .build(),
            properties,
            BEGIN);
    in =
        driver.createInputTopic(
            settings.in(), new ByteArraySerializer(), new ByteArraySerializer());
    out =
        driver.createOutputTopic(
            settings.out(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    dead =
        driver.createOutputTopic(
            settings.deadLetter(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Sends a record now. */
  void send(byte[] value) {
    in.pipeInput(new TestRecord<>(null, value, now));
  }

  /** Sends spans now, in one request. */
  void send(Span... spans) {
    send(Encoding.PROTOBUF.write(TestSpans.request("host-1", spans)));
  }

  /** Lets time pass, in steps as small as the topology looks. */
  void pass(Duration duration) {
    Duration step = Duration.ofMillis(250);
    for (Duration passed = Duration.ZERO;
        passed.compareTo(duration) < 0;
        passed = passed.plus(step)) {
      driver.advanceWallClockTime(step);
      now = now.plus(step);
    }
  }

  Instant now() {
    return now;
  }

  /** The values that have come out since the last call. */
  List<byte[]> values() {
    return out.readValuesToList();
  }

  /** The spans of these, all of protobuf. */
  List<Span> spans() throws IOException {
    List<Span> spans = new ArrayList<>();
    for (byte[] value : values()) {
      Encoding.of(value)
          .read(value, ExportTraceServiceRequest.getDefaultInstance())
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
    }
    return spans;
  }

  List<TestRecord<byte[], byte[]>> dead() {
    return dead.readRecordsToList();
  }

  @Override
  public void close() {
    driver.close();
  }
}
