/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.exporter.internal.marshal.Marshaler;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What OpenTelemetry's SDK writes as JSON is the same as what it writes as protobuf. */
final class SdkJsonTest {
  @Test
  void spansAreTheSame() throws Exception {
    try (SdkTracerProvider provider = SdkTracerProvider.builder().build()) {
      Span span =
          provider
              .get("scope", "1.0")
              .spanBuilder("näme \" \\ \n \0 💧")
              .setSpanKind(SpanKind.CONSUMER)
              .setAttribute("text", "</script>")
              .setAttribute("whole", Long.MIN_VALUE)
              .setAttribute("real", -0.25)
              .setAttribute("truth", true)
              .setAttribute(AttributeKey.stringArrayKey("texts"), List.of("a", "b"))
              .startSpan();
      span.addEvent("event", Attributes.of(AttributeKey.doubleKey("nan"), Double.NaN));
      span.addLink(span.getSpanContext());
      span.setStatus(StatusCode.ERROR, "failed");
      span.end();

      assertBothAreTheSame(
          TraceRequestMarshaler.create(List.of(((ReadableSpan) span).toSpanData())),
          ExportTraceServiceRequest.getDefaultInstance());
    }
  }

  @Test
  void logRecordsAreTheSame() throws Exception {
    List<LogRecordData> records = new ArrayList<>();
    try (SdkLoggerProvider provider =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor((context, record) -> records.add(record.toLogRecordData()))
            .build()) {
      provider
          .get("scope")
          .logRecordBuilder()
          .setSeverity(Severity.FATAL4)
          .setSeverityText("worst")
          .setEventName("event")
          .setBody(
              Value.of(
                  Map.of(
                      "bytes",
                      Value.of(new byte[] {0, -1, 62}),
                      "list",
                      Value.of(Value.of(1), Value.of("two")))))
          .emit();
    }

    assertBothAreTheSame(
        LogsRequestMarshaler.create(records), ExportLogsServiceRequest.getDefaultInstance());
  }

  private static void assertBothAreTheSame(Marshaler request, Message prototype)
      throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    request.writeJsonTo(json);
    ByteArrayOutputStream protobuf = new ByteArrayOutputStream();
    request.writeBinaryTo(protobuf);

    Message read = Encoding.JSON.read(json.toByteArray(), prototype);

    assertThat(read).isNotEqualTo(prototype);
    assertThat(read).isEqualTo(Encoding.PROTOBUF.read(protobuf.toByteArray(), prototype));
  }
}
