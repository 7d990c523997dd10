/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.metrics.Metric.Kind;
import dev.sennit.cli.metrics.Metric.Point;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics in Prometheus' text format 0.0.4. Names are made of OpenTelemetry's by the rules of its
 * specification ("Prometheus and OpenMetrics Compatibility"): underscores for dots, the unit and
 * {@code total} at the end.
 */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private PrometheusText() {}

  static String of(List<Metric> metrics) {
    StringBuilder text = new StringBuilder(4096);
    for (Metric metric : metrics) {
      String name = name(metric);
      text.append("# HELP ").append(name).append(' ').append(escape(metric.help())).append('\n');
      text.append("# TYPE ")
          .append(name)
          .append(metric.kind() == Kind.COUNTER ? " counter\n" : " gauge\n");
      for (Point point : metric.points()) {
        text.append(name);
        appendLabels(text, point.attributes());
        text.append(' ').append(number(point.value())).append('\n');
      }
    }
    return text.toString();
  }

  private static String name(Metric metric) {
    String unit =
        switch (metric.unit()) {
          case "s" -> "_seconds";
          case "By" -> "_bytes";
          // What stands in braces is said by the name, and 1 by nothing.
          default -> "";
        };
    return metric.name().replace('.', '_') + unit + (metric.kind() == Kind.COUNTER ? "_total" : "");
  }

  private static void appendLabels(StringBuilder text, Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return;
    }
    String before = "{";
    for (Map.Entry<String, String> each : new TreeMap<>(attributes).entrySet()) {
      text.append(before)
          .append(each.getKey().replace('.', '_'))
          .append("=\"")
          .append(escape(each.getValue()).replace("\"", "\\\""))
          .append('"');
      before = ",";
    }
    text.append('}');
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }

  /** Whole numbers as such: nobody likes to read 1.0E7. */
  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
