/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.util.HexFormat;

/**
 * The ids of a span, as W3C writes them.
 *
 * @param traceId 32 hexadecimal digits, not all zero
 * @param spanId 16 hexadecimal digits, not all zero
 * @param flags the trace flags, of which the lowest says that the trace is sampled
 */
public record TraceIds(String traceId, String spanId, byte flags) {
  private static final String DIGITS = "[0-9a-f]+";

  public TraceIds {
    check(traceId, 32, "trace id");
    check(spanId, 16, "span id");
  }

  private static void check(String id, int length, String what) {
    if (id.length() != length || !id.matches(DIGITS) || id.matches("0+")) {
      throw new IllegalArgumentException(
          what + " '" + id + "': " + length + " digits in lower case, not all zero");
    }
  }

  /** {@code 00-TRACE-SPAN-FLAGS}. */
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits(flags);
  }
}
