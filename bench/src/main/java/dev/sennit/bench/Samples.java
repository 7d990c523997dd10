/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;

/** Several measurements of one quantity, of which the middle one speaks. */
public record Samples(double median, double min, double max) {
  public static Samples of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no measurement at all");
    }
    double upper = sorted[sorted.length / 2];
    double lower = sorted[(sorted.length - 1) / 2];
    return new Samples((lower + upper) / 2, sorted[0], sorted[sorted.length - 1]);
  }

  /** Nanoseconds by the clock; a fork counts as the median of its iterations. */
  public static Samples ofWallTime(List<BenchmarkResult> forks) {
    return ofForks(forks, iteration -> iteration.getPrimaryResult().getScore());
  }

  /** As above, of what a profiler measured in each iteration. */
  public static Samples ofSecondary(List<BenchmarkResult> forks, String name) {
    return ofForks(
        forks,
        iteration ->
            Objects.requireNonNull(iteration.getSecondaryResults().get(name), name).getScore());
  }

  private static Samples ofForks(
      List<BenchmarkResult> forks, ToDoubleFunction<IterationResult> quantity) {
    List<Double> medians = new ArrayList<>();
    for (BenchmarkResult fork : forks) {
      List<Double> iterations =
          fork.getIterationResults().stream().mapToDouble(quantity).boxed().toList();
      medians.add(of(iterations).median());
    }
    return of(medians);
  }

  public Samples dividedBy(double divisor) {
    return new Samples(median / divisor, min / divisor, max / divisor);
  }

  /** The median with the spread, to one decimal. */
  public String print() {
    return String.format(Locale.ROOT, "%.1f (%.1f..%.1f)", median, min, max);
  }
}
