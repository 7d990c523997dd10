/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

/**
 * The request that a thread has read, to be filled and filled again by its owner, so that reading
 * allocates nothing. The span is the one that serves the request, not its sender's.
 */
public final class InboundRequest {
  private long traceIdHigh;
  private long traceIdLow;
  private long spanId;
  private int flags;
  private boolean shared;

  public long traceIdHigh() {
    return traceIdHigh;
  }

  public long traceIdLow() {
    return traceIdLow;
  }

  public long spanId() {
    return spanId;
  }

  /** W3C trace flags. */
  public int flags() {
    return flags;
  }

  /** Whether it came by a socket that does not block, whose reader may serve others in between. */
  public boolean shared() {
    return shared;
  }

  void fill(
      long newTraceIdHigh, long newTraceIdLow, long newSpanId, int newFlags, boolean newShared) {
    traceIdHigh = newTraceIdHigh;
    traceIdLow = newTraceIdLow;
    spanId = newSpanId;
    flags = newFlags;
    shared = newShared;
  }

  @Override
  public String toString() {
    return String.format(
        "%016x%016x-%016x-%02x%s",
        traceIdHigh, traceIdLow, spanId, flags, shared ? " (shared)" : "");
  }
}
