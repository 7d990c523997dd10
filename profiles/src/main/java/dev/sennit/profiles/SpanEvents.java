/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.EventVisitor;
import dev.sennit.profiles.jfr.Threads;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events by which recordings tell which span was current on a thread. Most have a start and an
 * end; Splunk's is a mark that holds until the next.
 */
final class SpanEvents {
  private static final String OPEN_TELEMETRY_SCOPE = "io.opentelemetry.context.Scope";
  private static final String SPLUNK_CONTEXT = "otel.ContextAttached";
  private static final String PROFILER_SPAN = "profiler.Span";
  private static final String PROFILER_USER_EVENT = "profiler.UserEvent";
  private static final List<String> NAMES =
      List.of(
          ScopeEvent.NAME,
          OpenScopeEvent.NAME,
          OPEN_TELEMETRY_SCOPE,
          SPLUNK_CONTEXT,
          PROFILER_SPAN,
          PROFILER_USER_EVENT);

  private final ChunkReader chunk;
  private final SpanIntervals spans;
  private long currentThread;

  private SpanEvents(ChunkReader chunk, SpanIntervals spans) {
    this.chunk = chunk;
    this.spans = spans;
  }

  /** Whether a chunk may have such events. */
  static boolean mayBeIn(ChunkReader chunk) {
    return NAMES.stream().anyMatch(chunk.types()::has);
  }

  /** Asks for the events of all kinds. */
  static void subscribe(
      ChunkReader chunk, SpanIntervals spans, Map<EventLayout, EventVisitor> visitors)
      throws IOException {
    SpanEvents events = new SpanEvents(chunk, spans);
    String start = "startTime";
    String duration = "duration";
    String thread = "eventThread";
    String trace = "traceId";
    String span = "spanId";
    RecordingFacts.subscribe(
        chunk,
        visitors,
        ScopeEvent.NAME,
        events::scope,
        start,
        duration,
        thread,
        "traceIdHigh",
        "traceIdLow",
        span);
    RecordingFacts.subscribe(
        chunk,
        visitors,
        OpenScopeEvent.NAME,
        events::openScope,
        start,
        "thread",
        "age",
        "traceIdHigh",
        "traceIdLow",
        span);
    RecordingFacts.subscribe(
        chunk,
        visitors,
        OPEN_TELEMETRY_SCOPE,
        events::openTelemetryScope,
        start,
        duration,
        thread,
        trace,
        span);
    RecordingFacts.subscribe(
        chunk, visitors, SPLUNK_CONTEXT, events::attached, start, thread, trace, span);
    RecordingFacts.subscribe(
        chunk, visitors, PROFILER_SPAN, events::profilerSpan, start, duration, thread, "tag");
    RecordingFacts.subscribe(
        chunk, visitors, PROFILER_USER_EVENT, events::userEvent, "type", "data");
  }

  /** One number for a thread: a virtual thread has no OS thread of its own in a recording. */
  static long threadKey(Threads thread) {
    return thread.osThreadId() != 0 ? thread.osThreadId() : -thread.javaThreadId();
  }

  /** Not before there is a span: to find threads, all constants of a chunk have to be passed. */
  private boolean findThread(long id) throws IOException {
    Threads threads = chunk.threads();
    boolean found = threads.find(id);
    currentThread = threadKey(threads);
    return found;
  }

  private void scope(EventLayout event) throws IOException {
    if (findThread(event.longValue(2))) {
      spans.add(
          currentThread,
          chunk.chunk().nanosOf(event.longValue(0)),
          endOf(event),
          event.longValue(3),
          event.longValue(4),
          event.longValue(5));
    }
  }

  private void openScope(EventLayout event) {
    long end = chunk.chunk().nanosOf(event.longValue(0)) + 1;
    spans.add(
        event.longValue(1),
        end - event.longValue(2),
        end,
        event.longValue(3),
        event.longValue(4),
        event.longValue(5));
  }

  private void openTelemetryScope(EventLayout event) throws IOException {
    @Nullable TraceParent parent = TraceParent.of(event.text(3), event.text(4));
    if (parent != null && findThread(event.longValue(2))) {
      add(currentThread, chunk.chunk().nanosOf(event.longValue(0)), endOf(event), parent);
    }
  }

  private void attached(EventLayout event) throws IOException {
    if (findThread(event.longValue(1))) {
      long time = chunk.chunk().nanosOf(event.longValue(0));
      @Nullable TraceParent parent = TraceParent.of(event.text(2), event.text(3));
      if (parent == null) {
        spans.mark(currentThread, time, 0, 0, 0);
      } else {
        spans.mark(currentThread, time, parent.traceIdHigh(), parent.traceIdLow(), parent.spanId());
      }
    }
  }

  private void profilerSpan(EventLayout event) throws IOException {
    @Nullable TraceParent parent = TraceParent.parse(event.text(3));
    if (parent != null && findThread(event.longValue(2))) {
      add(currentThread, after(event.longValue(0) - 1), endOf(event), parent);
    }
  }

  private void userEvent(EventLayout event) throws IOException {
    if (OpenContext.TYPE.equals(event.text(0))) {
      @Nullable OpenContext open = OpenContext.parse(event.text(1));
      @Nullable TraceParent parent = open == null ? null : TraceParent.parse(open.traceparent());
      if (open != null && parent != null) {
        add(open.thread(), after(open.since()), after(open.until()), parent);
      }
    }
  }

  private void add(long thread, long start, long end, TraceParent parent) {
    spans.add(thread, start, end, parent.traceIdHigh(), parent.traceIdLow(), parent.spanId());
  }

  /**
   * The nanosecond after that of a tick. A sample may have been taken at the tick before a span of
   * async-profiler, and belongs to another; several ticks may be one nanosecond.
   */
  private long after(long ticks) {
    return chunk.chunk().nanosOf(ticks) + 1;
  }

  /** The end of a span of async-profiler is the time of a sample, which belongs to it. */
  private long endOf(EventLayout event) {
    return after(event.longValue(0) + event.longValue(1));
  }
}
