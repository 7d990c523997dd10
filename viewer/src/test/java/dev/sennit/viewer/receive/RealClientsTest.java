/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.sennit.intake.Encoding;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import dev.sennit.otlp.export.Signal;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What applications send with, sends here, and everything is there, once and equal. */
final class RealClientsTest {
  private static final int MANY = 2_000;

  private final KeptSink sink = new KeptSink();
  private OtlpReceiver receiver;

  @BeforeEach
  void start() throws Exception {
    receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), sink);
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  @ParameterizedTest
  @CsvSource({"grpc, none", "grpc, gzip", "http, none", "http, gzip"})
  void spansOfTheSdkArriveOnceAndEqual(String protocol, String compression) {
    SpanExporter exporter =
        protocol.equals("grpc")
            ? OtlpGrpcSpanExporter.builder().setEndpoint(grpc()).setCompression(compression).build()
            : OtlpHttpSpanExporter.builder()
                .setEndpoint(http() + "/v1/traces")
                .setCompression(compression)
                .build();
    List<String> sent = new ArrayList<>();
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.create(Attributes.of(NAME, "shop")))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter).setMaxQueueSize(2 * MANY).build())
            .build()) {
      for (int i = 0; i < MANY; i++) {
        var span =
            provider
                .get("test")
                .spanBuilder("work " + i)
                .setAttribute("number", i)
                .setAttribute("text", "ünï\0")
                .startSpan();
        sent.add(span.getSpanContext().getSpanId() + " work " + i);
        span.end();
      }
      assertThat(provider.forceFlush().join(30, TimeUnit.SECONDS).isSuccess()).isTrue();
    }

    List<Span> spans =
        sink.kept(ExportTraceServiceRequest.class).stream()
            .flatMap(request -> request.getResourceSpansList().stream())
            .peek(resource -> assertThat(resource.getResource().toString()).contains("shop"))
            .flatMap(resource -> resource.getScopeSpansList().stream())
            .flatMap(scope -> scope.getSpansList().stream())
            .toList();
    assertThat(spans)
        .extracting(
            span -> HexFormat.of().formatHex(span.getSpanId().toByteArray()) + " " + span.getName())
        .containsExactlyInAnyOrderElementsOf(sent);
    assertThat(spans)
        .allSatisfy(span -> assertThat(span.getName()).isEqualTo("work " + number(span)));
    assertThat(receiver.counters(Signal.TRACES).accepted()).isEqualTo(MANY);
  }

  @ParameterizedTest
  @CsvSource({"grpc, none", "grpc, gzip", "http, none", "http, gzip"})
  void logRecordsOfTheSdkArriveOnceAndEqual(String protocol, String compression) {
    LogRecordExporter exporter =
        protocol.equals("grpc")
            ? OtlpGrpcLogRecordExporter.builder()
                .setEndpoint(grpc())
                .setCompression(compression)
                .build()
            : OtlpHttpLogRecordExporter.builder()
                .setEndpoint(http() + "/v1/logs")
                .setCompression(compression)
                .build();
    try (SdkLoggerProvider provider =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor(
                BatchLogRecordProcessor.builder(exporter).setMaxQueueSize(2 * MANY).build())
            .build()) {
      for (int i = 0; i < MANY; i++) {
        provider
            .get("test")
            .logRecordBuilder()
            .setSeverity(Severity.WARN)
            .setBody("line " + i)
            .emit();
      }
      assertThat(provider.forceFlush().join(30, TimeUnit.SECONDS).isSuccess()).isTrue();
    }

    assertThat(
            sink.kept(ExportLogsServiceRequest.class).stream()
                .flatMap(request -> request.getResourceLogsList().stream())
                .flatMap(resource -> resource.getScopeLogsList().stream())
                .flatMap(scope -> scope.getLogRecordsList().stream()))
        .extracting(record -> record.getSeverityNumberValue() + record.getBody().getStringValue())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, MANY).mapToObj(i -> "13line " + i).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void profilesOfOurOwnExporterArriveOnceAndEqual(String protocol, @TempDir Path folder)
      throws Exception {
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            protocol.equals("grpc") ? grpc() : http(),
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            protocol,
            "OTEL_EXPORTER_OTLP_COMPRESSION",
            "gzip");
    Map<String, String> properties =
        Map.of("sennit.otlp.queue.directory", folder.resolve("queue").toString());
    ExportSettings settings =
        ExportSettings.read(Signal.PROFILES, environment::get, properties::get, line -> {});
    try (Exporter exporter = Exporter.open(settings, line -> {})) {
      for (int i = 0; i < 50; i++) {
        exporter.export(Requests.profiles().toByteArray());
      }
      assertThat(exporter.flush(Duration.ofSeconds(30))).isTrue();
    }

    assertThat(sink.kept(ExportProfilesServiceRequest.class))
        .hasSize(50)
        .containsOnly(Requests.profiles());
  }

  @Test
  void whatOpenTelemetrysAgentSendsIsTaken() {
    List<String> options =
        List.of(
            "-javaagent:" + Path.of("target", "opentelemetry-javaagent.jar").toAbsolutePath(),
            "-Dotel.service.name=agent-under-test",
            "-Dotel.exporter.otlp.endpoint=" + http(),
            "-Dotel.metric.export.interval=200");
    try (ChildProcess child =
        ChildProcess.start(ChildProcess.javaCommand(options, AgentApplication.class))) {
      child.expect("done");
      assertThat(child.waitFor()).isZero();
      assertThat(child.errors()).doesNotContain("Failed to export", "WARN", "ERROR");
    }

    assertThat(
            sink.kept(ExportTraceServiceRequest.class).stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .peek(
                    resource ->
                        assertThat(resource.getResource().toString()).contains("agent-under-test"))
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream()))
        .as("requests to a closed port, made by the JDK's client")
        .hasSize(AgentApplication.REQUESTS);
    assertThat(
            sink.kept(ExportLogsServiceRequest.class).stream()
                .flatMap(request -> request.getResourceLogsList().stream())
                .flatMap(resource -> resource.getScopeLogsList().stream())
                .flatMap(scope -> scope.getLogRecordsList().stream()))
        .extracting(record -> record.getBody().getStringValue())
        .contains("a line of the application");
    assertThat(receiver.counters(Signal.METRICS).rejected()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  @Requires(commands = "curl")
  void whatCurlPostsIsTaken(Encoding encoding, @TempDir Path folder) throws Exception {
    Message request = Requests.spans(10);
    Path file = Files.write(folder.resolve("request"), encoding.write(request));

    List<String> answer = curl(encoding, file, "/v1/traces");

    assertThat(answer.getLast()).endsWith("200");
    assertThat(sink.kept()).containsExactly(request);
  }

  @Test
  @Requires(commands = "curl")
  void aBodyOfAGigabyteIsRefused(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("large");
    try (var channel = new RandomAccessFile(file.toFile(), "rw")) {
      channel.setLength(1L << 30);
    }

    assertThat(curl(Encoding.PROTOBUF, file, "/v1/traces").getLast()).endsWith("413");
    assertThat(
            curl(Encoding.PROTOBUF, file, "/v1/traces", "--header", "Transfer-Encoding: chunked")
                .getLast())
        .endsWith("413");
    assertThat(curl(Encoding.PROTOBUF, file, "/v1/traces", "--http2-prior-knowledge").getLast())
        .endsWith("413");
  }

  private List<String> curl(Encoding encoding, Path body, String path, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "curl",
                "--silent",
                "--show-error",
                "--max-time",
                "30",
                "--header",
                "Content-Type: application/" + (encoding == Encoding.JSON ? "json" : "x-protobuf"),
                "--request",
                "POST",
                "--upload-file",
                body.toString(),
                "--write-out",
                "\n%{http_code}\n",
                http() + path));
    command.addAll(List.of(more));
    try (ChildProcess curl = ChildProcess.start(command)) {
      List<String> lines = curl.readAll();
      assertThat(curl.errors()).isEmpty();
      return lines;
    }
  }

  private static final AttributeKey<String> NAME = AttributeKey.stringKey("service.name");

  private static long number(Span span) {
    return span.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("number"))
        .map(KeyValue::getValue)
        .findAny()
        .orElseThrow()
        .getIntValue();
  }

  private String http() {
    return "http://localhost:" + receiver.httpAddress().getPort();
  }

  private String grpc() {
    return "http://localhost:" + receiver.grpcAddress().getPort();
  }
}
