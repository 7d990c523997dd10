/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.fleet.trial.TrialBroker;
import dev.sennit.fleet.trial.TrialDrain;
import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that speaks TLS and wants to know who asks, with settings from where users put them. */
class SecuredBrokerTest {
  private static final String PASSWORD = "a secret of the test";
  private static final String STORE_PASSWORD = "changeit";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path folder;
  private static TrialBroker broker;
  private static Path file;

  @BeforeAll
  static void startBroker() throws IOException {
    Path keys = folder.resolve("keys.p12");
    makeKeys(keys);
    broker =
        TrialBroker.start(
            Files.createDirectory(folder.resolve("broker")),
            ChildProcess.classPath(),
            Map.of(
                "ssl.keystore.location",
                keys.toString(),
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.password",
                STORE_PASSWORD,
                "sasl.enabled.mechanisms",
                "PLAIN",
                "listener.name.sasl_ssl.plain.sasl.jaas.config",
                login("broker", PASSWORD).replace(";", "") + " user_fleet=\"" + PASSWORD + "\";"));
    file =
        Files.writeString(
            folder.resolve("kafka.properties"),
            """
            security.protocol=SASL_SSL
            sasl.mechanism=PLAIN
            ssl.truststore.location=%s
            ssl.truststore.type=PKCS12
            ssl.truststore.password=%s
            """
                .formatted(keys, STORE_PASSWORD));
  }

  @AfterAll
  static void endBroker() throws IOException {
    broker.close();
  }

  private static void makeKeys(Path keys) {
    try (ChildProcess keytool =
        ChildProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                STORE_PASSWORD))) {
      assertThat(keytool.waitFor()).isZero();
    }
  }

  private static String login(String user, String password) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
        + user
        + "\" password=\""
        + password
        + "\";";
  }

  @Test
  void spansGoThroughWithWhatTheFileAndTheEnvironmentSay() throws IOException {
    FleetSettings settings = settings("secured");
    try (Fleet _ = Fleet.start(settings, options(PASSWORD), line -> {});
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        TrialDrain drain = new TrialDrain(broker.bootstrap(), settings.out())) {
      ExportTraceServiceRequest sent =
          TestSpans.request(
              "host-1", TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build());
      var _ = producer.send(new ProducerRecord<>(settings.in(), sent.toByteArray()));
      producer.flush();

      long end = System.nanoTime() + PATIENCE.toNanos();
      ExportTraceServiceRequest received = null;
      while (received == null && System.nanoTime() < end) {
        for (var record : drain.next()) {
          received = ExportTraceServiceRequest.parseFrom(record.value());
        }
      }
      assertThat(received).isEqualTo(sent);
    }
  }

  @Test
  void aWrongPasswordIsSaidAtOnce() throws IOException {
    FleetSettings settings = settings("refused");
    FleetOptions wrong = options("another");
    assertThatThrownBy(() -> Fleet.start(settings, wrong, line -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(broker.securedBootstrap())
        .hasMessageContaining("Authentication failed");
  }

  @Test
  void aBrokerThatIsNotTrustedIsSaidAtOnce() throws IOException {
    FleetSettings settings = settings("untrusted");
    FleetOptions wrong = options(PASSWORD);
    wrong.kafka().keySet().removeIf(key -> key.toString().startsWith("ssl.truststore"));
    assertThatThrownBy(() -> Fleet.start(settings, wrong, line -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(broker.securedBootstrap())
        .hasMessageContaining("SSL handshake failed");
  }

  private static FleetOptions options(String password) throws IOException {
    Properties kafka = KafkaSettings.read(file);
    kafka.putAll(
        KafkaSettings.of(Map.of("SENNIT_KAFKA_SASL_JAAS_CONFIG", login("fleet", password))));
    return new FleetOptions(broker.securedBootstrap(), folder.resolve("state"), 0, 1, kafka);
  }

  private static FleetSettings settings(String name) throws IOException {
    FleetSettings settings = TestSettings.of(name, 1, Duration.ofSeconds(1));
    broker.createTopic(settings.in(), 1, Map.of());
    return settings;
  }
}
