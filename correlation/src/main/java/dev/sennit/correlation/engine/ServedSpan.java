/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.SpanContext;

/** A request that a process serves, or has just served. */
final class ServedSpan {
  final SpanContext span;
  final int tid;
  final long start;
  long end = Long.MAX_VALUE;

  ServedSpan(SpanContext span, int tid, long start) {
    this.span = span;
    this.tid = tid;
    this.start = start;
  }

  /** Whether it was open at the time, give or take. */
  boolean covers(long time, long before, long after) {
    return time >= start - before && (end == Long.MAX_VALUE || time <= end + after);
  }
}
