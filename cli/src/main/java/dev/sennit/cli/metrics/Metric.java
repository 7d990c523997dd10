/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A metric and its values at one moment, under the names and units of OpenTelemetry.
 *
 * @param name with dots
 * @param unit by UCUM, such as {@code s}, {@code By} or, for things that are counted, {@code
 *     {span}}
 * @param help what it says, in a sentence
 */
record Metric(String name, String unit, Kind kind, String help, List<Point> points) {
  enum Kind {
    /** Counts up from the start of the process. */
    COUNTER,
    /** Is as it is now. */
    GAUGE
  }

  /** A value and the attributes that tell it from others of the same metric. */
  record Point(Map<String, String> attributes, double value) {}

  Metric {
    points = List.copyOf(points);
  }

  static Metric counter(String name, String unit, String help, long value) {
    return new Metric(name, unit, Kind.COUNTER, help, List.of(new Point(Map.of(), value)));
  }

  /** A counter with a value for each of some kinds. */
  static <K> Metric counters(
      String name, String unit, String help, String attribute, Map<K, Long> values) {
    List<Point> points = new ArrayList<>();
    values.forEach(
        (kind, value) ->
            points.add(
                new Point(Map.of(attribute, kind.toString().toLowerCase(Locale.ROOT)), value)));
    return new Metric(name, unit, Kind.COUNTER, help, points);
  }

  static Metric gauge(String name, String unit, String help, double value) {
    return new Metric(name, unit, Kind.GAUGE, help, List.of(new Point(Map.of(), value)));
  }
}
