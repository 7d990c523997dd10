/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Says in a flight recording that a span is still current on another thread when the recording is
 * cut, which no {@link ScopeEvent} tells yet. It holds from {@link #age} before this event's {@link
 * #begin} until then; so whoever writes it looks at the span after {@code begin}.
 */
@Name(OpenScopeEvent.NAME)
@Label("Open Scope")
@Category("Sennit")
@Description("A span that is current on a thread while a recording is cut")
@StackTrace(false)
public final class OpenScopeEvent extends Event {
  static final String NAME = "dev.sennit.OpenScope";

  @Label("Thread")
  @Description("The OS thread, or the negative Java thread id of a virtual thread")
  private long thread;

  @Label("Age")
  @Timespan(Timespan.NANOSECONDS)
  private long age;

  @Label("Trace Id, First Half")
  private long traceIdHigh;

  @Label("Trace Id, Second Half")
  private long traceIdLow;

  @Label("Span Id")
  private long spanId;

  /**
   * Fills the event in.
   *
   * @param newThread the OS thread, or the negative Java thread id of a virtual thread
   * @param newAge nanoseconds since the span became current
   */
  public void describe(long newThread, long newAge, ScopeEvent span) {
    thread = newThread;
    age = newAge;
    traceIdHigh = span.traceIdHigh();
    traceIdLow = span.traceIdLow();
    spanId = span.spanId();
  }

  public long thread() {
    return thread;
  }

  public long age() {
    return age;
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
