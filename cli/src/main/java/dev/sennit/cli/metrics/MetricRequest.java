/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.metrics.Metric.Kind;
import dev.sennit.cli.metrics.Metric.Point;
import dev.sennit.otlp.AttributeMessages;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import java.util.List;
import java.util.Map;

/** Metrics as OTLP has them: the message {@code ExportMetricsServiceRequest}. */
final class MetricRequest {
  private static final String SCOPE = "dev.sennit.cli.metrics";

  /** Of {@code AggregationTemporality}. */
  private static final int CUMULATIVE = 2;

  /** Fields of {@code opentelemetry.proto.metrics.v1}. */
  private static final class Field {
    static final int RESOURCE_METRICS = 1;
    static final int RESOURCE = 1;
    static final int RESOURCE_ATTRIBUTES = 1;
    static final int SCOPE_METRICS = 2;
    static final int SCOPE = 1;
    static final int SCOPE_NAME = 1;
    static final int METRICS = 2;
    static final int NAME = 1;
    static final int DESCRIPTION = 2;
    static final int UNIT = 3;
    static final int GAUGE = 5;
    static final int SUM = 7;
    static final int DATA_POINTS = 1;
    static final int TEMPORALITY = 2;
    static final int MONOTONIC = 3;
    static final int START = 2;
    static final int TIME = 3;
    static final int AS_DOUBLE = 4;
    static final int AS_INT = 6;
    static final int ATTRIBUTES = 7;
  }

  private final ProtobufEncoder out = new ProtobufEncoder(1 << 14);
  private final Map<String, AttributeValue> resource;
  private final long start;

  /**
   * @param start of all counters, in nanoseconds since 1970
   */
  MetricRequest(Map<String, AttributeValue> resource, long start) {
    this.resource = resource;
    this.start = start;
  }

  byte[] of(List<Metric> metrics, long time) {
    out.reset();
    int resourceMetrics = out.beginMessage(Field.RESOURCE_METRICS);
    int message = out.beginMessage(Field.RESOURCE);
    resource.forEach(
        (key, value) -> AttributeMessages.write(out, Field.RESOURCE_ATTRIBUTES, key, value));
    out.endMessage(message);
    int scopeMetrics = out.beginMessage(Field.SCOPE_METRICS);
    int scope = out.beginMessage(Field.SCOPE);
    out.writeString(Field.SCOPE_NAME, SCOPE);
    out.endMessage(scope);
    metrics.forEach(metric -> write(metric, time));
    out.endMessage(scopeMetrics);
    out.endMessage(resourceMetrics);
    return out.toByteArray();
  }

  private void write(Metric metric, long time) {
    boolean counter = metric.kind() == Kind.COUNTER;
    int message = out.beginMessage(Field.METRICS);
    out.writeString(Field.NAME, metric.name());
    out.writeString(Field.DESCRIPTION, metric.help());
    if (!metric.unit().isEmpty()) {
      out.writeString(Field.UNIT, metric.unit());
    }
    int data = out.beginMessage(counter ? Field.SUM : Field.GAUGE);
    metric.points().forEach(point -> write(point, counter, time));
    if (counter) {
      out.writeVarintField(Field.TEMPORALITY, CUMULATIVE);
      out.writeBoolField(Field.MONOTONIC, true);
    }
    out.endMessage(data);
    out.endMessage(message);
  }

  private void write(Point point, boolean counter, long time) {
    int message = out.beginMessage(Field.DATA_POINTS);
    if (counter) {
      out.writeFixed64Field(Field.START, start);
    }
    out.writeFixed64Field(Field.TIME, time);
    if (counter) {
      out.writeFixed64Field(Field.AS_INT, (long) point.value());
    } else {
      out.writeDoubleField(Field.AS_DOUBLE, point.value());
    }
    point
        .attributes()
        .forEach(
            (key, value) ->
                AttributeMessages.write(out, Field.ATTRIBUTES, key, AttributeValue.of(value)));
    out.endMessage(message);
  }
}
