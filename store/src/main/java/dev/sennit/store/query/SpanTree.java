/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.query.TraceDetail.PlacedSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the spans of a trace into the order of a tree, whatever they say of their parents: a span
 * whose parent is missing is a root, and of spans that are each other's ancestors the first is one.
 */
final class SpanTree {
  private static final Comparator<SpanDetail> ORDER =
      Comparator.comparingLong(SpanDetail::start).thenComparing(SpanDetail::spanId);

  private final Map<String, SpanDetail> spans = new LinkedHashMap<>();
  private final Map<String, List<SpanDetail>> children = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final List<PlacedSpan> placed = new ArrayList<>();

  private SpanTree(List<SpanDetail> all) {
    all.stream().sorted(ORDER).forEach(span -> spans.putIfAbsent(span.spanId(), span));
    for (SpanDetail span : spans.values()) {
      @Nullable String parent = span.parentSpanId();
      if (parent != null && spans.containsKey(parent)) {
        children.computeIfAbsent(parent, fresh -> new ArrayList<>()).add(span);
      }
    }
  }

  /** Each span once, even if it is there several times. */
  static List<PlacedSpan> of(List<SpanDetail> spans) {
    SpanTree tree = new SpanTree(spans);
    for (SpanDetail span : tree.spans.values()) {
      @Nullable String parent = span.parentSpanId();
      if (parent == null || !tree.spans.containsKey(parent)) {
        tree.place(span);
      }
    }
    // What no root leads to goes round in circles.
    tree.spans.values().forEach(tree::place);
    return tree.placed;
  }

  /** Without recursion, for a chain may be as long as the trace. */
  private void place(SpanDetail root) {
    if (places.containsKey(root.spanId())) {
      return;
    }
    Deque<PlacedSpan> open = new ArrayDeque<>();
    open.push(new PlacedSpan(root, -1, 0));
    while (!open.isEmpty()) {
      PlacedSpan next = open.pop();
      int place = placed.size();
      if (places.putIfAbsent(next.span().spanId(), place) != null) {
        continue;
      }
      placed.add(next);
      for (SpanDetail child : children.getOrDefault(next.span().spanId(), List.of()).reversed()) {
        if (!places.containsKey(child.spanId())) {
          open.push(new PlacedSpan(child, place, next.depth() + 1));
        }
      }
    }
  }
}
