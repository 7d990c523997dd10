/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.thread.ContextSnapshot;

/** The ids of a span, or {@link #NONE}. */
record SpanIds(long traceIdHigh, long traceIdLow, long spanId, int flags) {
  static final SpanIds NONE = new SpanIds(0, 0, 0, 0);

  static SpanIds of(ContextSnapshot context) {
    return context.isNone()
        ? NONE
        : new SpanIds(
            context.traceIdHigh(), context.traceIdLow(), context.spanId(), context.flags());
  }

  /** Whether there is a span and a trace that it is of, without which neither has a meaning. */
  boolean isSpan() {
    return (traceIdHigh | traceIdLow) != 0 && spanId != 0;
  }
}
