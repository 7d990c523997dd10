/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The spans of a trace that are held until it is known what the trace is called in the end. */
final class Trace {
  final TraceKey key;
  final List<Span> held = new ArrayList<>(4);

  /** Traces that were found to continue this one. */
  private List<Trace> below = List.of();

  /** The root's half, once it has come; only where it is a SERVER span without ids. */
  @Nullable Half root;

  /** Whether its spans have gone. */
  boolean gone;

  private @Nullable Trace above;
  private long parentId;

  Trace(TraceKey key) {
    this.key = key;
  }

  /** The one that decides the name of all that hang below it. */
  Trace top() {
    Trace trace = this;
    for (Trace next = above; next != null; next = next.above) {
      trace = next;
    }
    return trace;
  }

  /** Whether its name is still to be decided, and not that of a trace above it. */
  boolean isUndecided() {
    return !gone && above == null;
  }

  /** The root is the other side of a span, which is in a trace that is undecided itself. */
  void hangBelow(Trace trace, long newParentId) {
    above = trace;
    parentId = newParentId;
    if (trace.below.isEmpty()) {
      trace.below = new ArrayList<>(2);
    }
    trace.below.add(this);
  }

  /** As above, of a trace whose name is known. */
  void hangBelow(long newParentId) {
    parentId = newParentId;
  }

  List<Trace> below() {
    return below;
  }

  /** The span above the root; 0 if it was not found. */
  long parentId() {
    return parentId;
  }

  boolean isRoot(Span span) {
    return root != null && root.ids.spanId() == span.ids().spanId();
  }
}
