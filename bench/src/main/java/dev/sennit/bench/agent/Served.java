/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** What one JVM did while it was measured, which may be more than once. */
record Served(List<Slice> slices) {
  /** Of counters that only grow; the clock is the same for all processes of a machine. */
  record Reading(long requests, long nanos, long cpuNanos) {
    /** How the application prints it. */
    String print() {
      return requests + " " + nanos + " " + cpuNanos;
    }
  }

  /**
   * A time in which it was measured.
   *
   * @param begin what had been done when it began
   * @param end when it was over
   */
  record Slice(Reading begin, Reading end) {
    /** How much of the time in which either was measured both were. */
    double overlap(Slice that) {
      double both =
          Math.min(end.nanos, that.end.nanos) - (double) Math.max(begin.nanos, that.begin.nanos);
      double either =
          Math.max(end.nanos, that.end.nanos) - (double) Math.min(begin.nanos, that.begin.nanos);
      return Math.max(0, both / either);
    }
  }

  /** From six numbers, as {@link Reading#print} has them. */
  static Served parse(String line) {
    long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    if (numbers.length != 6) {
      throw new IllegalArgumentException("six numbers are expected, not " + line);
    }
    return of(reading(numbers, 0), reading(numbers, 3));
  }

  static Served of(Reading begin, Reading end) {
    return new Served(List.of(new Slice(begin, end)));
  }

  /** All that was done in the one and in the other. */
  Served plus(Served that) {
    return new Served(Stream.of(slices, that.slices).flatMap(List::stream).toList());
  }

  private static Reading reading(long[] numbers, int at) {
    return new Reading(numbers[at], numbers[at + 1], numbers[at + 2]);
  }

  /** Requests by the clock. */
  double perSecond() {
    return 1e9 * sum(Reading::requests) / sum(Reading::nanos);
  }

  /** Processor time of the whole JVM for one request. */
  double cpuMicros() {
    return sum(Reading::cpuNanos) / 1e3 / sum(Reading::requests);
  }

  /** How much of a processor it had; less than all of one if others ran there as well. */
  double processorPercent() {
    return 100.0 * sum(Reading::cpuNanos) / sum(Reading::nanos);
  }

  private long sum(ToLongFunction<Reading> counter) {
    return slices.stream()
        .mapToLong(slice -> counter.applyAsLong(slice.end) - counter.applyAsLong(slice.begin))
        .sum();
  }
}
