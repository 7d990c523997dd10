/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import jdk.jfr.Category;
import jdk.jfr.Contextual;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Says in a flight recording which span was current on a thread, from {@link #begin} to {@link
 * #commit}. The converter links the samples of that thread and time to it. Ids are numbers, so that
 * they do not fill the constant pools; being contextual, they are shown beside other events by
 * {@code jfr print}.
 */
@Name(ScopeEvent.NAME)
@Label("Scope")
@Category("Sennit")
@Description("A span that was current on a thread")
@StackTrace(false)
public final class ScopeEvent extends Event {
  static final String NAME = "dev.sennit.Scope";

  @Contextual
  @Label("Trace Id, First Half")
  private final long traceIdHigh;

  @Contextual
  @Label("Trace Id, Second Half")
  private final long traceIdLow;

  @Contextual
  @Label("Span Id")
  private final long spanId;

  /** An event of a span, both ids big-endian. */
  public ScopeEvent(long traceIdHigh, long traceIdLow, long spanId) {
    this.traceIdHigh = traceIdHigh;
    this.traceIdLow = traceIdLow;
    this.spanId = spanId;
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
}
