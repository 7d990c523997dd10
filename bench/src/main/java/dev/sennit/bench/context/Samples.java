/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.util.Collection;

/** Several measurements of one quantity, of which the middle one speaks. */
record Samples(double median, double min, double max) {
  static Samples of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no measurement at all");
    }
    double upper = sorted[sorted.length / 2];
    double lower = sorted[(sorted.length - 1) / 2];
    return new Samples((lower + upper) / 2, sorted[0], sorted[sorted.length - 1]);
  }
}
