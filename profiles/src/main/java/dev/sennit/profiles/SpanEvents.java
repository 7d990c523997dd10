/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.RecordingFacts.Handler;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.Threads;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events by which recordings tell which span was current on a thread, each from its start to
 * its end.
 */
final class SpanEvents {
  /** Sennit's own: ids as numbers, so that they do not fill the constant pools. */
  static final String SCOPE_EVENT = "dev.sennit.Scope";

  private SpanEvents() {}

  /** Asks for the events of all kinds. */
  static void subscribe(ChunkReader chunk, SpanIntervals spans, Map<EventLayout, Handler> handlers)
      throws IOException {
    RecordingFacts.subscribe(
        chunk,
        handlers,
        SCOPE_EVENT,
        (reader, event) ->
            add(reader, spans, event, event.longValue(3), event.longValue(4), event.longValue(5)),
        "startTime",
        "duration",
        "eventThread",
        "traceIdHigh",
        "traceIdLow",
        "spanId");
    RecordingFacts.subscribe(
        chunk,
        handlers,
        "profiler.Span",
        (reader, event) -> {
          @Nullable TraceParent parent = TraceParent.parse(event.text(3));
          if (parent != null) {
            add(reader, spans, event, parent.traceIdHigh(), parent.traceIdLow(), parent.spanId());
          }
        },
        "startTime",
        "duration",
        "eventThread",
        "tag");
    RecordingFacts.subscribe(
        chunk,
        handlers,
        "io.opentelemetry.context.Scope",
        (reader, event) -> {
          @Nullable TraceParent parent = TraceParent.of(event.text(3), event.text(4));
          if (parent != null) {
            add(reader, spans, event, parent.traceIdHigh(), parent.traceIdLow(), parent.spanId());
          }
        },
        "startTime",
        "duration",
        "eventThread",
        "traceId",
        "spanId");
  }

  private static void add(
      ChunkReader chunk,
      SpanIntervals spans,
      EventLayout event,
      long traceIdHigh,
      long traceIdLow,
      long spanId)
      throws IOException {
    Threads threads = chunk.threads();
    if (!threads.find(event.longValue(2))) {
      return;
    }
    long start = chunk.chunk().nanosOf(event.longValue(0));
    // async-profiler's end is a sample's own time: the interval includes it.
    long end = chunk.chunk().nanosOf(event.longValue(0) + event.longValue(1)) + 1;
    spans.add(threadKey(threads), start, end, traceIdHigh, traceIdLow, spanId);
  }

  /** One number for a thread: a virtual thread has no OS thread of its own in a recording. */
  static long threadKey(Threads thread) {
    return thread.osThreadId() != 0 ? thread.osThreadId() : -thread.javaThreadId();
  }
}
