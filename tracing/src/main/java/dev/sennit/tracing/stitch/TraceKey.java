/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.traffic.TraceIds;

/** The name of a trace. */
record TraceKey(long high, long low) {
  static TraceKey of(TraceIds ids) {
    return new TraceKey(ids.traceHigh(), ids.traceLow());
  }

  /** They are random already. */
  @Override
  public int hashCode() {
    return Long.hashCode(low ^ (high >>> 7));
  }

  boolean names(TraceIds ids) {
    return high == ids.traceHigh() && low == ids.traceLow();
  }
}
