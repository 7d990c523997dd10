/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.otlp.export.Signal;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.util.List;

/** The services of OTLP in front of a sink. */
final class Services {
  private Services() {}

  static List<Service<?>> of(TelemetrySink sink) {
    return List.of(traces(sink), logs(sink), profiles(sink), metrics());
  }

  private static Service<?> traces(TelemetrySink sink) {
    return new Service<>(
        Signal.TRACES,
        ExportTraceServiceRequest.getDefaultInstance(),
        request ->
            request.getResourceSpansList().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .mapToLong(scope -> scope.getSpansCount())
                .sum(),
        sink::traces,
        ExportTraceServiceResponse.getDefaultInstance(),
        (rejected, reason) ->
            ExportTraceServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportTracePartialSuccess.newBuilder()
                        .setRejectedSpans(rejected)
                        .setErrorMessage(reason))
                .build(),
        new Tally());
  }

  private static Service<?> logs(TelemetrySink sink) {
    return new Service<>(
        Signal.LOGS,
        ExportLogsServiceRequest.getDefaultInstance(),
        request ->
            request.getResourceLogsList().stream()
                .flatMap(resource -> resource.getScopeLogsList().stream())
                .mapToLong(scope -> scope.getLogRecordsCount())
                .sum(),
        sink::logs,
        ExportLogsServiceResponse.getDefaultInstance(),
        (rejected, reason) ->
            ExportLogsServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportLogsPartialSuccess.newBuilder()
                        .setRejectedLogRecords(rejected)
                        .setErrorMessage(reason))
                .build(),
        new Tally());
  }

  private static Service<?> profiles(TelemetrySink sink) {
    return new Service<>(
        Signal.PROFILES,
        ExportProfilesServiceRequest.getDefaultInstance(),
        request ->
            request.getResourceProfilesList().stream()
                .flatMap(resource -> resource.getScopeProfilesList().stream())
                .mapToLong(scope -> scope.getProfilesCount())
                .sum(),
        sink::profiles,
        ExportProfilesServiceResponse.getDefaultInstance(),
        (rejected, reason) ->
            ExportProfilesServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportProfilesPartialSuccess.newBuilder()
                        .setRejectedProfiles(rejected)
                        .setErrorMessage(reason))
                .build(),
        new Tally());
  }

  /**
   * Metrics are read and not kept. SDKs and agents send them unless told otherwise, and would log
   * an error every minute if there were nobody to take them.
   */
  private static Service<?> metrics() {
    return new Service<>(
        Signal.METRICS,
        ExportMetricsServiceRequest.getDefaultInstance(),
        Services::points,
        request -> {
          long points = points(request);
          return points == 0
              ? Answer.TAKEN
              : new Answer.TakenInPart(points, "metrics are not stored");
        },
        ExportMetricsServiceResponse.getDefaultInstance(),
        (rejected, reason) ->
            ExportMetricsServiceResponse.newBuilder()
                .setPartialSuccess(
                    ExportMetricsPartialSuccess.newBuilder()
                        .setRejectedDataPoints(rejected)
                        .setErrorMessage(reason))
                .build(),
        new Tally());
  }

  private static long points(ExportMetricsServiceRequest request) {
    return request.getResourceMetricsList().stream()
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(scope -> scope.getMetricsList().stream())
        .mapToLong(Services::points)
        .sum();
  }

  private static long points(Metric metric) {
    return switch (metric.getDataCase()) {
      case GAUGE -> metric.getGauge().getDataPointsCount();
      case SUM -> metric.getSum().getDataPointsCount();
      case HISTOGRAM -> metric.getHistogram().getDataPointsCount();
      case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsCount();
      case SUMMARY -> metric.getSummary().getDataPointsCount();
      case DATA_NOT_SET -> 0;
    };
  }
}
