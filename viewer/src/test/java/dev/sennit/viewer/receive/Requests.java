/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.stream.IntStream;

/** Requests as OpenTelemetry's own classes make them. */
final class Requests {
  private Requests() {}

  static ExportTraceServiceRequest spans(int count) {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder();
    IntStream.range(0, count)
        .forEach(
            i ->
                scope.addSpans(
                    Span.newBuilder()
                        .setTraceId(ByteString.copyFrom(new byte[] {1, 2, (byte) i}))
                        .setName("GET /ünï/" + i)
                        .setStartTimeUnixNano(1_700_000_000_000_000_000L + i)
                        .addAttributes(
                            KeyValue.newBuilder()
                                .setKey("http.route")
                                .setValue(AnyValue.newBuilder().setStringValue("/" + i)))));
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
        .build();
  }

  static ExportLogsServiceRequest lines(int count) {
    ScopeLogs.Builder scope = ScopeLogs.newBuilder();
    IntStream.range(0, count)
        .forEach(
            i ->
                scope.addLogRecords(
                    LogRecord.newBuilder()
                        .setTimeUnixNano(i + 1)
                        .setBody(AnyValue.newBuilder().setStringValue("line " + i))));
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(ResourceLogs.newBuilder().addScopeLogs(scope))
        .build();
  }

  static ExportProfilesServiceRequest profiles() {
    return ExportProfilesServiceRequest.newBuilder()
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .addScopeProfiles(
                    ScopeProfiles.newBuilder()
                        .addProfiles(Profile.newBuilder().setTimeUnixNano(17))))
        .build();
  }

  static ExportMetricsServiceRequest metrics(int points) {
    Gauge.Builder gauge = Gauge.newBuilder();
    IntStream.range(0, points)
        .forEach(i -> gauge.addDataPoints(NumberDataPoint.newBuilder().setAsInt(i)));
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .addScopeMetrics(
                    ScopeMetrics.newBuilder()
                        .addMetrics(Metric.newBuilder().setName("g").setGauge(gauge))))
        .build();
  }
}
