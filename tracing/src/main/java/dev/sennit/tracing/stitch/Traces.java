/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.Recent;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the spans of traces whose root may have something above it, and lets them go under the name
 * that their trace has in the end. Of what was decided the newest is remembered, for spans that
 * come late.
 */
final class Traces {
  private final int capacity;

  /** In the order of their first span, so that the oldest is the first to go. */
  private final Map<TraceKey, Trace> open = new LinkedHashMap<>();

  private final Recent<TraceKey, Fate> decided;

  /**
   * @param name what a decided trace is called; most keep their name
   * @param waited whether it was decided after waiting for what could still come
   */
  private record Fate(TraceKey name, boolean waited) {}

  private NameListener names = (high, low, newHigh, newLow) -> {};
  private int held;
  private long evicted;
  private long late;

  Traces(int capacity, int remembered) {
    this.capacity = capacity;
    this.decided = new Recent<>(remembered);
  }

  void tell(NameListener listener) {
    names = listener;
  }

  /**
   * Takes a span, which goes out at once if the name of its trace is known.
   *
   * @return the trace that it is held in; null if it has gone
   */
  @Nullable Trace add(Span span, Consumer<Span> out) {
    TraceKey key = TraceKey.of(span.ids());
    Trace trace = open.get(key);
    if (trace == null) {
      Fate fate = decided.get(key);
      if (fate != null) {
        late += fate.waited ? 1 : 0;
        out.accept(renamed(span, fate.name));
        return null;
      }
      trace = new Trace(key);
      open.put(key, trace);
    }
    trace.held.add(span);
    held++;
    if (trace.root == null && showsName(span)) {
      release(trace, new Fate(key, false), out);
      return null;
    }
    while (held > capacity) {
      evict(open.values().iterator().next().top(), out);
    }
    return trace.gone ? null : trace;
  }

  /**
   * Whether the span itself shows that its trace has its name from elsewhere: from a call that
   * nothing caused, from the ids of an application, or from a span that an application reports.
   */
  private static boolean showsName(Span span) {
    return span.link() == Link.ADOPTED
        || (span.kind() == SpanKind.CLIENT
            ? span.ids().parentId() == 0
            : span.link() == Link.NONE && span.ids().parentId() != 0);
  }

  /**
   * The root of a trace is the other side of a CLIENT span.
   *
   * @return false if that one hangs below the root itself
   */
  boolean join(Trace trace, TraceIds client, Consumer<Span> out) {
    TraceKey key = TraceKey.of(client);
    Trace above = open.get(key);
    if (above != null) {
      if (above.top() == trace) {
        return false;
      }
      trace.hangBelow(above, client.spanId());
      return true;
    }
    Fate fate = decided.get(key);
    TraceKey name = fate == null ? key : fate.name;
    if (name.equals(trace.key)) {
      return false;
    }
    trace.hangBelow(client.spanId());
    release(trace, new Fate(name, true), out);
    return true;
  }

  /** A trace keeps its name, and all that hang below it get it. */
  void settle(Trace trace, Consumer<Span> out) {
    release(trace, new Fate(trace.key, true), out);
  }

  private void evict(Trace trace, Consumer<Span> out) {
    evicted += trace.held.size();
    Half root = trace.root;
    if (root != null) {
      root.state = Half.State.LEFT;
    }
    settle(trace, out);
  }

  private void release(Trace top, Fate fate, Consumer<Span> out) {
    Deque<Trace> traces = new ArrayDeque<>(1);
    traces.add(top);
    for (Trace trace = traces.poll(); trace != null; trace = traces.poll()) {
      open.remove(trace.key);
      trace.gone = true;
      decided.put(trace.key, fate);
      names.named(trace.key.high(), trace.key.low(), fate.name.high(), fate.name.low());
      held -= trace.held.size();
      for (Span span : trace.held) {
        boolean stitched = trace.parentId() != 0 && trace.isRoot(span);
        out.accept(
            stitched ? stitched(span, fate.name, trace.parentId()) : renamed(span, fate.name));
      }
      traces.addAll(trace.below());
      trace.held.clear();
    }
  }

  private static Span stitched(Span span, TraceKey name, long parentId) {
    TraceIds ids = span.ids();
    return span.withIds(
        new TraceIds(name.high(), name.low(), ids.spanId(), parentId, ids.flags()), Link.STITCHED);
  }

  private static Span renamed(Span span, TraceKey name) {
    TraceIds ids = span.ids();
    if (name.names(ids)) {
      return span;
    }
    return span.withIds(
        new TraceIds(name.high(), name.low(), ids.spanId(), ids.parentId(), ids.flags()),
        span.link());
  }

  void flush(Consumer<Span> out) {
    while (!open.isEmpty()) {
      settle(open.values().iterator().next().top(), out);
    }
  }

  int held() {
    return held;
  }

  long evicted() {
    return evicted;
  }

  long late() {
    return late;
  }
}
