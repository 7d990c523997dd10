/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.Arrays;

/**
 * What one JVM did while it was measured.
 *
 * @param begin what had been done when it began
 * @param middle half of the time later
 * @param end when it was over
 */
record Served(Reading begin, Reading middle, Reading end) {
  /** Of counters that only grow; the clock is the same for all processes of a machine. */
  record Reading(long requests, long nanos, long cpuNanos) {
    /** How the application prints it. */
    String print() {
      return requests + " " + nanos + " " + cpuNanos;
    }
  }

  /** From nine numbers, as {@link Reading#print} has them. */
  static Served parse(String line) {
    long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    if (numbers.length != 9) {
      throw new IllegalArgumentException("nine numbers are expected, not " + line);
    }
    return new Served(reading(numbers, 0), reading(numbers, 3), reading(numbers, 6));
  }

  private static Reading reading(long[] numbers, int at) {
    return new Reading(numbers[at], numbers[at + 1], numbers[at + 2]);
  }

  /** Requests by the clock. */
  double perSecond() {
    return perSecond(begin, end);
  }

  /** Processor time of the whole JVM for one request. */
  double cpuMicros() {
    return (end.cpuNanos - begin.cpuNanos) / 1e3 / (end.requests - begin.requests);
  }

  /** How much of a processor it had; less than all of one if others ran there as well. */
  double processorPercent() {
    return 100.0 * (end.cpuNanos - begin.cpuNanos) / (end.nanos - begin.nanos);
  }

  /** How much more it did in the second half; far from nothing if it was not warm yet. */
  double driftPercent() {
    return 100 * (perSecond(middle, end) / perSecond(begin, middle) - 1);
  }

  private static double perSecond(Reading from, Reading to) {
    return 1e9 * (to.requests - from.requests) / (to.nanos - from.nanos);
  }
}
