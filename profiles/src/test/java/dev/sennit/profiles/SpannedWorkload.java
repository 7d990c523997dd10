/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import one.profiler.AsyncProfiler;
import one.profiler.Span;

/** Work in spans of async-profiler, by methods that are named as their spans are. */
public final class SpannedWorkload {
  static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  static final String FIRST = "b7ad6b7169203331";
  static final String SECOND = "00f067aa0ba902b7";

  static volatile double sink;

  private SpannedWorkload() {}

  public static void main(String[] args) throws Exception {
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    profiler.execute(args[0]);
    for (int i = 0; i < 20; i++) {
      long first = Span.start();
      workInFirst();
      long second = Span.start();
      workInSecond();
      Span.end(second, "00-" + TRACE + "-" + SECOND + "-01");
      workInFirst();
      Span.end(first, traceparent());
      long other = Span.start();
      workOutside();
      Span.end(other, "not a traceparent");
    }
    profiler.execute("stop");
  }

  /** Of the first span. */
  static String traceparent() {
    return "00-" + TRACE + "-" + FIRST + "-01";
  }

  private static void workInFirst() {
    sink = burn();
  }

  private static void workInSecond() {
    sink = burn();
  }

  private static void workOutside() {
    sink = burn();
  }

  private static double burn() {
    double sum = 0;
    long end = System.nanoTime() + 10_000_000;
    while (System.nanoTime() < end) {
      sum += Math.sqrt(sum + end);
    }
    return sum;
  }
}
