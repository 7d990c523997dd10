/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.agent.callstack.LogCollector;
import dev.sennit.context.process.MalformedContextException;
import dev.sennit.context.shared.LogDestination;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the SDK's exporter makes of the agent's requests, and where it is known to send to. */
@Requires
class LentLogExporterTest {
  @ParameterizedTest
  @ValueSource(strings = {"text", "pprof-gzip-base64"})
  void aRequestOfTheAgentComesOutOfTheSdkAsItWas(String format, @TempDir Path queue)
      throws MalformedContextException {
    try (LogCollector collector = LogCollector.start()) {
      ExportLogsServiceRequest own;
      try (ChildProcess application =
          ExtendedJvm.withSdk(
              List.of(
                  AgentJvm.agent(""),
                  "-Dsplunk.profiler.enabled=true",
                  "-Dsplunk.profiler.call.stack.interval=200",
                  "-Dsplunk.profiler.data.format=" + format,
                  "-Dsplunk.profiler.logs.endpoint=" + collector.endpoint(),
                  "-Dsplunk.profiler.sdk.exporter=false",
                  "-Dsennit.otlp.queue.directory=" + queue,
                  "-Dotel.resource.attributes=service.name=checkout,host.name=here",
                  "-Dotel.traces.exporter=none",
                  "-Dotel.metrics.exporter=none",
                  "-Dotel.logs.exporter=none"),
              LoggingApplication.class,
              "sdk")) {
        application.expect("span ");
        own = collector.take();
        while (format.equals("text") && !isInSpan(own)) {
          own = collector.take();
        }
      }
      while (!collector.hasNothing()) {
        collector.take();
      }
      assertThat(sorted(throughSdk(collector, own))).isEqualTo(sorted(own));
    }
  }

  @Test
  void everyKindOfAttributeThatTheSdkHasSurvives() throws MalformedContextException {
    ExportLogsServiceRequest request =
        request(
            LogRecord.newBuilder()
                .setTimeUnixNano(1)
                .setEventName("e")
                .setBody(text("\"名\\"))
                .addAttributes(attribute("array", array(text("a"), text("b"))))
                .addAttributes(attribute("flag", AnyValue.newBuilder().setBoolValue(true)))
                .addAttributes(attribute("flags", array(AnyValue.newBuilder().setBoolValue(true))))
                .addAttributes(attribute("real", AnyValue.newBuilder().setDoubleValue(-0.5)))
                .addAttributes(
                    attribute(
                        "reals", array(AnyValue.newBuilder().setDoubleValue(Double.MAX_VALUE))))
                .addAttributes(
                    attribute("whole", AnyValue.newBuilder().setIntValue(Long.MIN_VALUE)))
                .addAttributes(attribute("wholes", array(AnyValue.newBuilder().setIntValue(7)))));
    try (LogCollector collector = LogCollector.start()) {
      assertThat(sorted(throughSdk(collector, request))).isEqualTo(sorted(request));
    }
  }

  @Test
  void whatWouldBeLostOnTheWayIsNotTaken() {
    assertNotTaken(LogRecord.newBuilder().setSeverityText("INFO"));
    assertNotTaken(LogRecord.newBuilder().setDroppedAttributesCount(1));
    assertNotTaken(LogRecord.newBuilder().setBody(AnyValue.newBuilder().setIntValue(1)));
    assertNotTaken(LogRecord.newBuilder().setFlags(1));
    assertNotTaken(LogRecord.newBuilder().setTraceId(ByteString.copyFrom(new byte[16])));
    assertNotTaken(
        LogRecord.newBuilder().addAttributes(attribute("mixed", array(text("a"), number(1)))));
    assertNotTaken(
        LogRecord.newBuilder()
            .addAttributes(
                attribute("bytes", AnyValue.newBuilder().setBytesValue(ByteString.EMPTY))));
    assertNotTaken(LogRecord.newBuilder().addAttributes(KeyValue.newBuilder().setKey("empty")));
    assertThatThrownBy(() -> LogRequest.read(new byte[] {1}))
        .isInstanceOf(MalformedContextException.class);
  }

  @Test
  void anExporterSendsToWhereItsSettingsSay() {
    assertThat(destination("OtlpGrpcLogRecordExporter", Map.of()))
        .isEqualTo(new LogDestination("grpc", URI.create("http://localhost:4317"), Map.of()));
    assertThat(
            destination(
                "OtlpGrpcLogRecordExporter",
                Map.of(
                    "otel.exporter.otlp.endpoint", "http://general:1",
                    "otel.exporter.otlp.logs.endpoint", "http://logs:2",
                    "otel.exporter.otlp.headers", "x-tenant=a%20b,k=v")))
        .isEqualTo(
            new LogDestination(
                "grpc", URI.create("http://logs:2"), Map.of("x-tenant", "a b", "k", "v")));
    assertThat(
            destination(
                "OtlpHttpLogRecordExporter",
                Map.of(
                    "otel.exporter.otlp.endpoint", "http://general:1/base",
                    "otel.exporter.otlp.headers", "a=1",
                    "otel.exporter.otlp.logs.headers", "b=2")))
        .isEqualTo(
            new LogDestination(
                "http/protobuf", URI.create("http://general:1/base/v1/logs"), Map.of("b", "2")));
    assertThat(destination("SystemOutLogRecordExporter", Map.of())).isNull();
  }

  private static boolean isInSpan(ExportLogsServiceRequest request) {
    return LogCollector.records(request).stream().anyMatch(record -> !record.getSpanId().isEmpty());
  }

  private static @Nullable LogDestination destination(
      String exporter, Map<String, String> properties) {
    return LentLogExporter.destination(exporter, DefaultConfigProperties.createFromMap(properties));
  }

  private static ExportLogsServiceRequest throughSdk(
      LogCollector collector, ExportLogsServiceRequest request) throws MalformedContextException {
    try (OtlpGrpcLogRecordExporter exporter =
        OtlpGrpcLogRecordExporter.builder().setEndpoint(collector.endpoint()).build()) {
      CompletableResultCode result = exporter.export(LogRequest.read(request.toByteArray()));
      assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    }
    return collector.take();
  }

  private static void assertNotTaken(LogRecord.Builder record) {
    assertThatThrownBy(() -> LogRequest.read(request(record).toByteArray()))
        .isInstanceOfAny(MalformedContextException.class, IllegalArgumentException.class);
  }

  private static ExportLogsServiceRequest request(LogRecord.Builder record) {
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(
            ResourceLogs.newBuilder()
                .setResource(
                    Resource.newBuilder().addAttributes(attribute("service.name", text("s"))))
                .addScopeLogs(
                    ScopeLogs.newBuilder()
                        .setScope(InstrumentationScope.newBuilder().setName("n").setVersion("1"))
                        .addLogRecords(record)))
        .build();
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static AnyValue.Builder text(String text) {
    return AnyValue.newBuilder().setStringValue(text);
  }

  private static AnyValue.Builder number(long number) {
    return AnyValue.newBuilder().setIntValue(number);
  }

  private static AnyValue.Builder array(AnyValue.Builder... values) {
    ArrayValue.Builder array = ArrayValue.newBuilder();
    for (AnyValue.Builder value : values) {
      array.addValues(value);
    }
    return AnyValue.newBuilder().setArrayValue(array);
  }

  /** The SDK keeps attributes by key; everything else must be in its place. */
  private static ExportLogsServiceRequest sorted(ExportLogsServiceRequest request) {
    ExportLogsServiceRequest.Builder all = request.toBuilder();
    for (ResourceLogs.Builder resource : all.getResourceLogsBuilderList()) {
      List<KeyValue> attributes = sorted(resource.getResource().getAttributesList());
      resource.getResourceBuilder().clearAttributes().addAllAttributes(attributes);
      for (ScopeLogs.Builder scope : resource.getScopeLogsBuilderList()) {
        for (LogRecord.Builder record : scope.getLogRecordsBuilderList()) {
          List<KeyValue> ofRecord = sorted(record.getAttributesList());
          record.clearAttributes().addAllAttributes(ofRecord);
        }
      }
    }
    return all.build();
  }

  private static List<KeyValue> sorted(List<KeyValue> attributes) {
    return attributes.stream().sorted(Comparator.comparing(KeyValue::getKey)).toList();
  }
}
