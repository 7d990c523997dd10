/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * A copy of one thread's context, to be filled and filled again by its owner, so that reading
 * allocates nothing.
 */
public final class ContextSnapshot {
  private long traceIdHigh;
  private long traceIdLow;
  private long spanId;
  private long rootSpanId;
  private int flags;

  /** A context that no thread has yet. */
  public static ContextSnapshot of(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    ContextSnapshot made = new ContextSnapshot();
    made.fill(traceIdHigh, traceIdLow, spanId, traceIdLow, flags);
    return made;
  }

  public long traceIdHigh() {
    return traceIdHigh;
  }

  public long traceIdLow() {
    return traceIdLow;
  }

  public long spanId() {
    return spanId;
  }

  /** The local root span; {@link #traceIdLow()} where the writer named no other. */
  public long rootSpanId() {
    return rootSpanId;
  }

  /** W3C trace flags. */
  public int flags() {
    return flags;
  }

  /** Whether there is neither trace nor span. */
  public boolean isNone() {
    return (traceIdHigh | traceIdLow | spanId) == 0;
  }

  void fill(
      long newTraceIdHigh, long newTraceIdLow, long newSpanId, long newRootSpanId, int newFlags) {
    traceIdHigh = newTraceIdHigh;
    traceIdLow = newTraceIdLow;
    spanId = newSpanId;
    rootSpanId = newRootSpanId;
    flags = newFlags;
  }

  void clear() {
    fill(0, 0, 0, 0, 0);
  }

  @Override
  public String toString() {
    return String.format(
        "%016x%016x-%016x-%02x (root %016x)", traceIdHigh, traceIdLow, spanId, flags, rootSpanId);
  }
}
