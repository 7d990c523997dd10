/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Remembers of every open span which was the first of its trace in this process. Spans that are
 * never ended are forgotten when there are too many.
 */
final class LocalRootSpans implements SpanProcessor {
  private static final int STRIPES = 16;

  private final LongMap[] stripes = new LongMap[STRIPES];

  /** Whether any root was ever remembered. */
  private volatile boolean used;

  LocalRootSpans() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new LongMap();
    }
  }

  /** The root of an open span; the span itself if nothing else is known. */
  long rootOf(long spanId) {
    if (!used) {
      return spanId;
    }
    long root = stripe(spanId).get(spanId);
    return root == 0 ? spanId : root;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    SpanContext parent = Span.fromContext(parentContext).getSpanContext();
    if (parent.isValid() && !parent.isRemote()) {
      if (!used) {
        used = true;
      }
      long spanId = Hex.parse(span.getSpanContext().getSpanId(), 0);
      stripe(spanId).put(spanId, rootOf(Hex.parse(parent.getSpanId(), 0)));
    }
  }

  @Override
  public boolean isStartRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    long spanId = Hex.parse(span.getSpanContext().getSpanId(), 0);
    stripe(spanId).remove(spanId);
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  private LongMap stripe(long spanId) {
    return stripes[(int) (spanId ^ spanId >>> 32) & STRIPES - 1];
  }
}
