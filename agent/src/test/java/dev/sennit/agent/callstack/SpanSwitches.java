/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Threads that go from span to span every 50 µs. Argument: how many. */
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
    while (true) {
      SpanBursts.begin(SpanBursts.EVEN);
      SpanBursts.inEvenSpan(SPAN_NANOS);
      ContextApi.clear();
      SpanBursts.inNoSpan(SPAN_NANOS / 10);
      SpanBursts.begin(SpanBursts.ODD);
      SpanBursts.inOddSpan(SPAN_NANOS);
    }
  }
}
