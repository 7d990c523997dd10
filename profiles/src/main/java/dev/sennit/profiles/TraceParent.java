/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import org.jspecify.annotations.Nullable;

/** The ids of a W3C {@code traceparent}, {@code 00-<32 hex>-<16 hex>-<2 hex>}. */
record TraceParent(long traceIdHigh, long traceIdLow, long spanId) {
  private static final int LENGTH = 55;

  /** The ids in a text; null if it is not a traceparent. */
  static @Nullable TraceParent parse(@Nullable String text) {
    if (text == null
        || text.length() < LENGTH
        || text.charAt(2) != '-'
        || text.charAt(35) != '-'
        || text.charAt(52) != '-') {
      return null;
    }
    return of(text.substring(3, 35), text.substring(36, 52));
  }

  /** The ids from their hexadecimal texts; null if these are not ids, or all zero. */
  static @Nullable TraceParent of(@Nullable String traceId, @Nullable String spanId) {
    if (traceId == null || spanId == null || traceId.length() != 32 || spanId.length() != 16) {
      return null;
    }
    try {
      TraceParent parent =
          new TraceParent(
              Long.parseUnsignedLong(traceId, 0, 16, 16),
              Long.parseUnsignedLong(traceId, 16, 32, 16),
              Long.parseUnsignedLong(spanId, 16));
      boolean isZero = parent.spanId == 0 || (parent.traceIdHigh | parent.traceIdLow) == 0;
      return isZero ? null : parent;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
