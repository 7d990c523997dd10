/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * An application that knows OpenTelemetry's API and nothing else. Its threads work inside and
 * outside of spans, each kind of work in a method of its own whose name begins with {@code in}, and
 * it prints which spans were for which.
 */
final class Workload {
  private static final int THREADS = 4;
  private static final int ROUNDS = 400;
  private static final int UNIT = 400_000;

  private static volatile long sink;

  private final Tracer tracer = GlobalOpenTelemetry.getTracer("workload");
  private final List<String> log = new ArrayList<>();

  private Workload() {}

  public static void main(String[] arguments) throws InterruptedException {
    List<Workload> workloads = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Workload workload = new Workload();
      workloads.add(workload);
      threads.add(Thread.ofPlatform().name("work-" + i).start(workload::run));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    workloads.forEach(workload -> workload.log.forEach(System.out::println));
    System.out.println("done " + (sink == 42 ? "" : "well"));
  }

  private void run() {
    for (int i = 0; i < ROUNDS; i++) {
      inNone();
      Span outer = start("inOuter");
      try (Scope _ = outer.makeCurrent()) {
        inOuter();
        Span nested = start("inNested");
        try (Scope _ = nested.makeCurrent()) {
          inNested();
        }
        nested.end();
        inOuter();
      }
      outer.end();
    }
  }

  private Span start(String method) {
    Span span = tracer.spanBuilder(method).startSpan();
    log.add(
        "%s %s %s-%s"
            .formatted(
                method,
                Thread.currentThread().getName(),
                span.getSpanContext().getTraceId(),
                span.getSpanContext().getSpanId()));
    return span;
  }

  private static void inNone() {
    spin();
  }

  private static void inOuter() {
    spin();
  }

  private static void inNested() {
    spin();
  }

  private static void spin() {
    long state = sink | 1;
    for (int i = 0; i < UNIT; i++) {
      state = state * 6364136223846793005L + i;
    }
    sink = state;
  }
}
