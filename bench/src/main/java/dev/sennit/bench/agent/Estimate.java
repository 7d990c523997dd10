/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * A quantity that was measured several times, and how well that tells what it is.
 *
 * @param interval where the median lies, with 90 % confidence; empty if there are too few
 */
record Estimate(
    int count,
    double median,
    double lowerQuartile,
    double upperQuartile,
    double min,
    double max,
    Optional<Interval> interval) {
  private static final int RESAMPLES = 10_000;

  /**
   * Of four measurements not even the least and the most have the median between them so surely.
   */
  private static final int FEWEST = 5;

  /** From one number to another. */
  record Interval(double from, double to) {
    boolean contains(double value) {
      return from <= value && value <= to;
    }

    boolean overlaps(Interval that) {
      return from <= that.to && that.from <= to;
    }
  }

  static Estimate of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no measurement at all");
    }
    return new Estimate(
        sorted.length,
        quantile(sorted, 0.5),
        quantile(sorted, 0.25),
        quantile(sorted, 0.75),
        sorted[0],
        sorted[sorted.length - 1],
        sorted.length < FEWEST ? Optional.empty() : Optional.of(bootstrap(sorted)));
  }

  /** The percentile bootstrap; the same measurements always give the same. */
  private static Interval bootstrap(double[] values) {
    Random random = new Random(1);
    double[] medians = new double[RESAMPLES];
    double[] resample = new double[values.length];
    for (int i = 0; i < RESAMPLES; i++) {
      Arrays.setAll(resample, _ -> values[random.nextInt(values.length)]);
      Arrays.sort(resample);
      medians[i] = quantile(resample, 0.5);
    }
    Arrays.sort(medians);
    return new Interval(quantile(medians, 0.05), quantile(medians, 0.95));
  }

  /** Between two measurements in proportion. */
  private static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  String printInterval() {
    return interval.map(it -> range(it.from, it.to)).orElse("too few");
  }

  String printQuartiles() {
    return range(lowerQuartile, upperQuartile);
  }

  String printRange() {
    return range(min, max);
  }

  private static String range(double from, double to) {
    return String.format(Locale.ROOT, "%.1f..%.1f", from, to);
  }
}
