/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Threads that go from span to span every 50 µs. The stack tells which span a thread is in: even
 * and odd ones have a method each, and the number of the thread is in the ids.
 */
final class SpanSwitches {
  private static final long SPAN_NANOS = 50_000;

  private SpanSwitches() {}

  public static void main(String[] arguments) throws IOException {
    ContextApi.initialize("ctxstorage=otel");
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      Thread.ofPlatform().daemon().name("switches " + i).start(SpanSwitches::switchSpans);
    }
    @Nullable CallStackSampler sampler =
        CallStackSampler.startIfEnabled(System::getenv, System::getProperty);
    System.out.println("ready");
    System.in.read();
    if (sampler != null) {
      System.out.println(sampler.status());
    }
    System.exit(0);
  }

  private static void switchSpans() {
    long thread = Thread.currentThread().threadId();
    while (true) {
      ContextApi.setOtel(thread, 1, 2, 1);
      inEvenSpan();
      ContextApi.clear();
      inNoSpan();
      ContextApi.setOtel(thread, 1, 3, 1);
      inOddSpan();
    }
  }

  private static void inEvenSpan() {
    burn(SPAN_NANOS);
  }

  private static void inOddSpan() {
    burn(SPAN_NANOS);
  }

  private static void inNoSpan() {
    burn(SPAN_NANOS / 10);
  }

  private static void burn(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
