/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.api.trace.SpanContext;

/**
 * The ids of a thread's latest span as numbers. To read text takes longer than all else that is
 * done for a span, and the next span of a thread is mostly of the same trace, which is the same
 * object then, or the one before it again.
 */
final class SpanNumbers {
  private final Thread owner = Thread.currentThread();
  private final byte[] scratch = new byte[Hex.DIGITS];

  /** What the thread's record says. */
  private SpanContext recorded = SpanContext.getInvalid();

  private String traceText = "";
  private String spanText = "";
  private String beforeText = "";
  private long beforeId;
  long traceIdHigh;
  long traceIdLow;
  long spanId;

  /** Whether it is the calling thread's. */
  @SuppressWarnings("ReferenceEquality") // a class of threads may have its own equality
  boolean isOwn() {
    return owner == Thread.currentThread();
  }

  /** Whether the record says so already. */
  @SuppressWarnings("ReferenceEquality") // most are the same object
  boolean isRecorded(SpanContext span) {
    return span == recorded
        || (span.getSpanId().equals(recorded.getSpanId())
            && span.getTraceId().equals(recorded.getTraceId()));
  }

  void recorded(SpanContext span) {
    recorded = span;
  }

  @SuppressWarnings("ReferenceEquality") // another object with the same text is read again
  void read(SpanContext span) {
    String trace = span.getTraceId();
    if (trace != traceText) {
      traceIdHigh = Hex.parse(trace, 0, scratch);
      traceIdLow = Hex.parse(trace, 16, scratch);
      traceText = trace;
    }
    String text = span.getSpanId();
    if (text != spanText) {
      long next = text == beforeText ? beforeId : Hex.parse(text, 0, scratch);
      beforeText = spanText;
      beforeId = spanId;
      spanText = text;
      spanId = next;
    }
  }
}
