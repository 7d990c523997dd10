/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What exporting must leave alone in an application: its logging, its output, its end. */
class SilenceTest {
  @TempDir private Path folder;

  private List<String> run(List<String> options, Map<String, Object> properties)
      throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add("-Djava.util.logging.manager=" + SilentProgram.Manager.class.getName());
    all.add("-Dsennit.otlp.queue.directory=" + folder.resolve("queue"));
    properties.forEach((name, value) -> all.add("-D" + name + "=" + value));
    Path message = Files.write(folder.resolve("message"), Messages.numbered(1, 50_000));
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(all, SilentProgram.class, message.toString()))) {
      List<String> lines = child.readAll();
      assertThat(child.waitFor()).isZero();
      assertThat(child.errors()).isEmpty();
      return lines;
    }
  }

  @ParameterizedTest
  @EnumSource
  void anApplicationNoticesNothing(Protocol protocol) throws IOException {
    try (Collector collector = Collector.start(protocol, 0)) {
      Map<String, Object> properties =
          Map.of(
              "sennit.otlp.protocol",
              protocol.settingValue(),
              "sennit.otlp.endpoint",
              "http://localhost:" + collector.port());
      List<String> lines = run(List.of(), properties);
      assertThat(lines.subList(0, 3))
          .containsExactly("threads before: []", "logging before: untouched", "sent: true");
      assertThat(lines.get(3))
          .isIn("threads: [sennit-export]", "threads: [sennit-export, sennit-export-io]");
      assertThat(lines.subList(4, lines.size())).containsExactly("logging: untouched");
      assertThat(collector.received()).containsExactly(1);
    }
  }

  @Test
  void norWithTls() throws IOException {
    TestCertificates certificates = new TestCertificates(folder);
    try (HttpCollector collector = HttpCollector.startSecure(certificates)) {
      List<String> lines =
          run(
              List.of(),
              Map.of(
                  "sennit.otlp.endpoint",
                  "https://localhost:" + collector.port(),
                  "sennit.otlp.certificate",
                  certificates.server()));
      assertThat(lines).contains("sent: true", "logging: untouched");
    }
  }

  /** With a configuration the JDK sets logging up itself, at the first certificate it meets. */
  @Test
  void tlsTouchesLoggingThatHasAConfigurationFileAtTheFirstMessageAtTheEarliest()
      throws IOException {
    TestCertificates certificates = new TestCertificates(folder);
    Path configuration = Files.createFile(folder.resolve("logging.properties"));
    try (GrpcCollector collector = GrpcCollector.startSecure(certificates)) {
      List<String> lines =
          run(
              List.of("-Djava.util.logging.config.file=" + configuration),
              Map.of(
                  "sennit.otlp.protocol",
                  "grpc",
                  "sennit.otlp.endpoint",
                  "https://localhost:" + collector.port(),
                  "sennit.otlp.certificate",
                  certificates.server(),
                  "sennit.otlp.client.key",
                  certificates.clientKey(),
                  "sennit.otlp.client.certificate",
                  certificates.client()));
      assertThat(lines).contains("logging before: untouched", "sent: true");
    }
  }

  @ParameterizedTest
  @EnumSource
  void noModuleOfTheJdkIsNeededButTheBase(Protocol protocol) throws IOException {
    try (Collector collector = Collector.start(protocol, 0)) {
      List<String> lines =
          run(
              List.of("--limit-modules", "java.base"),
              Map.of(
                  "sennit.otlp.protocol",
                  protocol.settingValue(),
                  "sennit.otlp.endpoint",
                  "http://localhost:" + collector.port()));
      assertThat(lines).contains("sent: true");
    }
  }
}
