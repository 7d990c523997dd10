/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sennit.otlp.export.Compression;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Protocol;
import dev.sennit.otlp.export.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where spans and metrics go. */
class ExportSourceTest {
  @Test
  void theFileSaysItAll() throws Exception {
    ExportSettings settings =
        read(
                Signal.TRACES,
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://elsewhere:1"),
                """
                export:
                  endpoint: https://collector:4318
                  headers: {authorization: "Bearer a,b=c%", x-n: 7}
                  compression: gzip
                  timeout: 3s
                  queue: {directory: /q, bound: 5MiB}
                """)
            .orElseThrow();

    assertThat(settings.endpoint()).hasToString("https://collector:4318/v1/traces");
    assertThat(settings.protocol()).isEqualTo(Protocol.HTTP_PROTOBUF);
    assertThat(settings.headers()).isEqualTo(Map.of("authorization", "Bearer a,b=c%", "x-n", "7"));
    assertThat(settings.compression()).isEqualTo(Compression.GZIP);
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.queueDirectory()).contains(Path.of("/q"));
    assertThat(settings.queueBound()).isEqualTo(5 << 20);
  }

  @Test
  void behindItAreTheVariables() throws Exception {
    assertThat(read(Signal.TRACES, Map.of(), "")).isEmpty();
    assertThat(read(Signal.TRACES, Map.of("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://m"), ""))
        .isEmpty();
    assertThat(
            read(
                    Signal.METRICS,
                    Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318",
                        "OTEL_EXPORTER_OTLP_HEADERS", "a=b"),
                    "export: {timeout: 1s}")
                .orElseThrow())
        .satisfies(
            settings -> {
              assertThat(settings.endpoint()).hasToString("http://c:4318/v1/metrics");
              assertThat(settings.headers()).isEqualTo(Map.of("a", "b"));
              assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(1));
            });
  }

  @Test
  void thePortOfGrpcMeansGrpcUnlessSomebodySaysOtherwise() throws Exception {
    String text = "export: {endpoint: 'http://c:4317'}";
    assertThat(read(Signal.TRACES, Map.of(), text).orElseThrow().protocol())
        .isEqualTo(Protocol.GRPC);
    assertThat(
            read(Signal.TRACES, Map.of("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"), text)
                .orElseThrow()
                .protocol())
        .isEqualTo(Protocol.HTTP_PROTOBUF);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoint: ftp://c | f.yaml:2: export.endpoint: ftp://c is not a URL such as"
            + " http://localhost:4318",
        "endpoint: http://u:p@c | f.yaml:2: export.endpoint: http://u:p@c has a user in it;"
            + " credentials go into headers",
        "endpoint: http://c\\n  headers: {host: x} | f.yaml:3: export.headers: has a header host,"
            + " which is not for settings",
        "endpoint: http://c\\n  client_key: /k | f.yaml:3: export.client_key: /k stands alone; a"
            + " client needs both a key and a certificate",
      })
  void whatCannotBeMeantIsSaidOfItsPlace(String text, String line) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> read(Signal.TRACES, Map.of(), "export:\n  " + text.replace("\\n", "\n")))
        .withMessage(line);
  }

  private static Optional<ExportSettings> read(
      Signal signal, Map<String, String> environment, String text) throws ConfigurationException {
    List<String> warnings = new ArrayList<>();
    Optional<ExportSettings> settings =
        ExportSource.read(
            ConfigurationReader.read("f.yaml", text), signal, environment::get, warnings::add);
    assertThat(warnings).isEmpty();
    return settings;
  }
}
