/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

import java.util.HexFormat;

/**
 * The ids of a span that a line can belong to.
 *
 * @param traceHigh the first eight bytes of the trace id as a number
 * @param traceLow the last eight bytes of the trace id as a number
 * @param flags as in {@code traceparent}
 */
public record SpanContext(long traceHigh, long traceLow, long spanId, int flags) {
  /** The trace id as people write it. */
  public String traceIdText() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(traceHigh) + hex.toHexDigits(traceLow);
  }

  /** The span id as people write it. */
  public String spanIdText() {
    return HexFormat.of().toHexDigits(spanId);
  }

  /** As W3C has it: {@code 00-TRACE-SPAN-FLAGS}. */
  public String traceparent() {
    return "00-"
        + traceIdText()
        + "-"
        + spanIdText()
        + "-"
        + HexFormat.of().toHexDigits((byte) flags);
  }
}
