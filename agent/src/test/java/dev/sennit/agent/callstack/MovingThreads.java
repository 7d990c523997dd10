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
 * between and inside of spans. The stack tells which kind of span a thread is in, and the ids tell
 * whose it is. Argument: how many.
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
    long thread = Thread.currentThread().threadId();
    while (true) {
      ContextApi.setOtel(thread, 1, 2, 1);
      inEvenSpan();
      LockSupport.parkNanos(100_000);
      inEvenSpan();
      ContextApi.clear();
      inNoSpan();
      LockSupport.parkNanos(100_000);
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
    burn(SPAN_NANOS / 4);
  }

  private static void burn(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
