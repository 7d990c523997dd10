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
 * @param end when it was over
 */
record Served(Reading begin, Reading end) {
  /** Of counters that only grow; the clock is the same for all processes of a machine. */
  record Reading(long requests, long nanos, long cpuNanos) {
    /** How the application prints it. */
    String print() {
      return requests + " " + nanos + " " + cpuNanos;
    }
  }

  /** From six numbers, as {@link Reading#print} has them. */
  static Served parse(String line) {
    long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    if (numbers.length != 6) {
      throw new IllegalArgumentException("six numbers are expected, not " + line);
    }
    return new Served(reading(numbers, 0), reading(numbers, 3));
  }

  private static Reading reading(long[] numbers, int at) {
    return new Reading(numbers[at], numbers[at + 1], numbers[at + 2]);
  }

  /** Requests by the clock. */
  double perSecond() {
    return 1e9 * (end.requests - begin.requests) / (end.nanos - begin.nanos);
  }

  /** Processor time of the whole JVM for one request. */
  double cpuMicros() {
    return (end.cpuNanos - begin.cpuNanos) / 1e3 / (end.requests - begin.requests);
  }

  /** How much of a processor it had; less than all of one if others ran there as well. */
  double processorPercent() {
    return 100.0 * (end.cpuNanos - begin.cpuNanos) / (end.nanos - begin.nanos);
  }
}
