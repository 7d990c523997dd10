/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.thread.ContextApi;

/**
 * What threads do that go from span to span: they burn in one of two kinds of spans or in none,
 * each in a method of its own, so that the stack tells where a thread was. Whose span it is stands
 * in the ids, which begin with the number of the thread. {@link SpanTally} is the judge.
 */
final class SpanBursts {
  static final long EVEN = 2;
  static final long ODD = 3;

  private SpanBursts() {}

  /** Begins a span of this thread. */
  static void begin(long kind) {
    ContextApi.setOtel(Thread.currentThread().threadId(), 1, kind, 1);
  }

  static void inEvenSpan(long nanos) {
    burn(nanos);
  }

  static void inOddSpan(long nanos) {
    burn(nanos);
  }

  static void inNoSpan(long nanos) {
    burn(nanos);
  }

  private static void burn(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
