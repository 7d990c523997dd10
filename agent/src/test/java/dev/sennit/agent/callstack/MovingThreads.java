/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads, far more than carriers, that go from span to span and leave their carriers in
 * between and inside of spans. Argument: how many.
 */
final class MovingThreads {
  private static final long SPAN_NANOS = 2_000_000;

  private MovingThreads() {}

  public static void main(String[] arguments) throws IOException {
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      Thread.ofVirtual().name("request " + i).start(MovingThreads::serve);
    }
    System.out.println("ready");
    System.in.read();
  }

  private static void serve() {
    while (true) {
      SpanBursts.begin(SpanBursts.EVEN);
      SpanBursts.inEvenSpan(SPAN_NANOS);
      LockSupport.parkNanos(100_000);
      SpanBursts.inEvenSpan(SPAN_NANOS);
      ContextApi.clear();
      SpanBursts.inNoSpan(SPAN_NANOS / 4);
      LockSupport.parkNanos(100_000);
      SpanBursts.begin(SpanBursts.ODD);
      SpanBursts.inOddSpan(SPAN_NANOS);
    }
  }
}
