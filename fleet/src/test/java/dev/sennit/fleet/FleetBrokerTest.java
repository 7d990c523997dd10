/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.fleet.trial.FleetScore;
import dev.sennit.fleet.trial.FleetTruth;
import dev.sennit.fleet.trial.GeneratedFleet;
import dev.sennit.fleet.trial.HostBatch;
import dev.sennit.fleet.trial.TrialBroker;
import dev.sennit.fleet.trial.TrialDrain;
import dev.sennit.fleet.trial.TrialFeed;
import dev.sennit.intake.Encoding;
import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances in processes of their own, and a real broker in another. */
class FleetBrokerTest {
  /** The whole size is 500,000; {@code -Dsennit.fleet.spans=500000} asks for it. */
  private static final int SPANS = Integer.getInteger("sennit.fleet.spans", 60_000);

  private static final int HOSTS = 20;
  private static final int PARTITIONS = 2;
  private static final int REQUESTS_PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private static Path folder;
  private static TrialBroker broker;

  @BeforeAll
  static void startBroker() throws IOException {
    broker =
        TrialBroker.start(
            Files.createDirectory(folder.resolve("broker")), ChildProcess.classPath());
  }

  @AfterAll
  static void endBroker() throws IOException {
    broker.close();
  }

  private static FleetSettings settings(String name) throws IOException {
    FleetSettings settings = TestSettings.of(name, PARTITIONS, Duration.ofSeconds(10));
    broker.createTopic(
        settings.in(), PARTITIONS, Map.of("max.message.bytes", Integer.toString(64 << 20)));
    return settings;
  }

  private static ChildProcess instance(FleetSettings settings, String name) {
    return FleetInstance.start(broker.bootstrap(), settings, folder.resolve(name), 0);
  }

  private static ChildProcess instanceWithCopies(FleetSettings settings, String name) {
    return FleetInstance.start(broker.bootstrap(), settings, folder.resolve(name), 1);
  }

  @Test
  void nothingIsLostOrDoubledAndWhatBelongsTogetherIsJoined() throws IOException {
    FleetSettings settings = settings("truth");
    try (ChildProcess instance = instance(settings, "truth")) {
      FleetTruth truth = feed(settings, batch -> {});
      instance.expect("running");
      check(settings, truth);
    }
  }

  @Test
  void instancesThatAreKilledAndABrokerThatRestartsChangeNothing() throws IOException {
    FleetSettings settings = settings("killed");
    List<ChildProcess> instances = new ArrayList<>();
    try {
      instances.add(instanceWithCopies(settings, "first"));
      instances.add(instanceWithCopies(settings, "second"));
      instances.getFirst().expect("running");
      instances.getLast().expect("running");
      int[] batches = new int[1];
      FleetTruth truth =
          feed(
              settings,
              batch -> {
                batches[0]++;
                if (batches[0] == 300) {
                  awaitSome(settings);
                  // SIGKILL.
                  instances.getLast().close();
                  instances.add(instanceWithCopies(settings, "second"));
                } else if (batches[0] == 600) {
                  restartBroker();
                }
              });
      check(settings, truth);
      // Of each partition, one instance has the stores and the other the copy.
      assertThat(storesOf("first")).hasSize(3 * PARTITIONS).isEqualTo(storesOf("second"));
    } finally {
      instances.forEach(ChildProcess::close);
    }
  }

  /** The stores on disk of an instance, each with its part of the topology and its partition. */
  private static Set<String> storesOf(String instance) throws IOException {
    Path state = folder.resolve(instance);
    try (Stream<Path> files = Files.walk(state)) {
      return files
          .map(file -> state.relativize(file).toString())
          .filter(file -> file.matches(".*/rocksdb/[^/]+"))
          .collect(Collectors.toSet());
    }
  }

  /** Spans have gone out: the instances are in the middle of their work. */
  private static void awaitSome(FleetSettings settings) {
    FleetScore score = new FleetScore();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (TrialDrain drain = new TrialDrain(broker.bootstrap(), settings.out())) {
      while (score.received() == 0 && System.nanoTime() < end) {
        drain.into(score);
      }
    }
    assertThat(score.received()).isPositive();
  }

  private static void restartBroker() {
    try {
      broker.restart();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static FleetTruth feed(
      FleetSettings settings, java.util.function.Consumer<HostBatch> listener) {
    Instant begin = Instant.now().minusSeconds(SPANS / (REQUESTS_PER_SECOND * 5L) + 120);
    GeneratedFleet.Shape shape =
        new GeneratedFleet.Shape(7, HOSTS, REQUESTS_PER_SECOND, SPANS, begin);
    try (TrialFeed feed = new TrialFeed(broker.bootstrap(), settings.in())) {
      return new GeneratedFleet(
              shape,
              batch -> {
                feed.send(batch);
                listener.accept(batch);
              })
          .run();
    }
  }

  private static void check(FleetSettings settings, FleetTruth truth) {
    FleetScore score = new FleetScore();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (TrialDrain drain = new TrialDrain(broker.bootstrap(), settings.out())) {
      while (score.received() < truth.spans() && System.nanoTime() < end) {
        drain.into(score);
      }
      // What came twice would come now.
      drain.into(score);
    }
    FleetScore.Result result = score.result(truth);
    System.out.println(
        settings.application()
            + ": "
            + result
            + ", precision "
            + result.precision()
            + ", recall "
            + result.recall());
    assertThat(result.lost()).isZero();
    assertThat(result.duplicates()).isZero();
    assertThat(result.torn()).isZero();
    assertThat(result.possible()).isGreaterThan(truth.spans() / 5);
    assertThat(result.precision()).isGreaterThanOrEqualTo(0.99);
    assertThat(result.recall()).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void whatCannotBeReadIsADeadLetterAndTheRestFlowsOn() throws IOException {
    FleetSettings settings = settings("dead");
    Map<String, byte[]> broken = new HashMap<>();
    broken.put("not OTLP protobuf", new byte[] {10, 50, 1, 2, 3});
    broken.put("the record has 52428800 bytes", new byte[50 << 20]);
    broken.put("the record is empty", new byte[0]);
    broken.put("not OTLP JSON", "{\"resourceSpans\": 7}".getBytes(StandardCharsets.UTF_8));
    Span good = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build();
    try (ChildProcess _ = instance(settings, "dead");
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of(
                    "bootstrap.servers", broker.bootstrap(),
                    "max.request.size", 64 << 20,
                    "buffer.memory", 128L << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      broken.values().forEach(value -> send(producer, settings, value));
      send(producer, settings, Encoding.PROTOBUF.write(TestSpans.request("host-1", good)));
      producer.flush();

      List<ConsumerRecord<byte[], byte[]>> dead = take(settings.deadLetter(), broken.size());
      assertThat(dead)
          .extracting(record -> header(record, DeadLetters.REASON))
          .allSatisfy(reason -> assertThat(broken.keySet()).anyMatch(reason::startsWith))
          .doesNotHaveDuplicates()
          .hasSize(broken.size());
      assertThat(dead)
          .extracting(record -> header(record, DeadLetters.OFFSET))
          .containsExactlyInAnyOrder("0", "1", "2", "3");
      assertThat(take(settings.out(), 1)).hasSize(1);
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, FleetSettings settings, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(settings.in(), 0, null, value));
  }

  private static List<ConsumerRecord<byte[], byte[]>> take(String topic, int count) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (TrialDrain drain = new TrialDrain(broker.bootstrap(), topic)) {
      while (records.size() < count && System.nanoTime() < end) {
        drain.next().forEach(records::add);
      }
    }
    return records;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
