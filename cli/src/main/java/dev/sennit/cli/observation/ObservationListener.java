/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.record.LogRecord;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetSocketAddress;
import java.util.Set;

/** Hears of what an observation finds, beside the collector. */
public interface ObservationListener {
  /** One that hears nothing. */
  ObservationListener NONE = new ObservationListener() {};

  /** Where it receives OTLP itself; what is sent there says nothing about who sends it. */
  default Set<InetSocketAddress> receivers() {
    return Set.of();
  }

  /** A span was made. */
  default void onSpan(Span span) {}

  /** A line was read. */
  default void onRecord(LogRecord record) {}

  /** Spans go out: a request of OTLP. */
  default void onSpans(byte[] request) {}

  /** Log records go out: a request of OTLP. */
  default void onRecords(byte[] request) {}

  /**
   * A thread read a request and answered it.
   *
   * @param begin in nanoseconds since 1970
   * @param end in nanoseconds since 1970
   */
  default void onServed(int pid, int tid, TraceIds ids, long begin, long end) {}

  /** A trace goes out under another id than its requests were served with. */
  default void onName(String traceId, String newTraceId) {}
}
