/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.HexFormat;
import java.util.List;

/** Requests as others send them, made with OpenTelemetry's own classes. */
public final class Otlp {
  private Otlp() {}

  public static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  /** The id of a trace by a number. */
  public static String trace(long number) {
    return String.format("%032x", number);
  }

  /** The id of a span by a number. */
  public static String span(long number) {
    return String.format("%016x", number);
  }

  public static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  public static KeyValue attribute(String key, long value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setIntValue(value))
        .build();
  }

  public static Resource service(String name) {
    return Resource.newBuilder()
        .addAttributes(attribute("service.name", name))
        .addAttributes(attribute("host.name", "here"))
        .addAttributes(attribute("process.pid", 4711))
        .build();
  }

  public static Span.Builder span(String traceId, String spanId, String name) {
    return Span.newBuilder()
        .setTraceId(id(traceId))
        .setSpanId(id(spanId))
        .setName(name)
        .setKind(Span.SpanKind.SPAN_KIND_SERVER)
        .setStartTimeUnixNano(1_000_000_000)
        .setEndTimeUnixNano(1_000_001_000);
  }

  public static ExportTraceServiceRequest traces(String service, Span.Builder... spans) {
    return traces(service, List.of(spans).stream().map(Span.Builder::build).toList());
  }

  public static ExportTraceServiceRequest traces(String service, List<Span> spans) {
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(
            ResourceSpans.newBuilder()
                .setResource(service(service))
                .addScopeSpans(ScopeSpans.newBuilder().addAllSpans(spans)))
        .build();
  }

  public static LogRecord.Builder line(long time, String body) {
    return LogRecord.newBuilder()
        .setTimeUnixNano(time)
        .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_INFO)
        .setSeverityText("INFO")
        .setBody(AnyValue.newBuilder().setStringValue(body));
  }

  public static ExportLogsServiceRequest logs(String service, LogRecord.Builder... lines) {
    return logs(service, List.of(lines).stream().map(LogRecord.Builder::build).toList());
  }

  public static ExportLogsServiceRequest logs(String service, List<LogRecord> lines) {
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(
            ResourceLogs.newBuilder()
                .setResource(service(service))
                .addScopeLogs(ScopeLogs.newBuilder().addAllLogRecords(lines)))
        .build();
  }
}
