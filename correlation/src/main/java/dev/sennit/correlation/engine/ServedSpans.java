/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.SpanContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of one process: those that are open, and those that ended a moment ago. */
final class ServedSpans {
  private final int most;
  private final List<ServedSpan> spans = new ArrayList<>();
  private boolean answersElsewhere;
  private boolean overflown;

  ServedSpans(int most) {
    this.most = most;
  }

  /**
   * @param until spans that ended before are of no use any more
   */
  void add(ServedSpan span, long until) {
    spans.removeIf(each -> each.end < until);
    if (spans.size() >= most) {
      spans.removeFirst();
      overflown = true;
    }
    spans.add(span);
  }

  /**
   * @param tid the thread that answered
   */
  void end(SpanContext span, int tid, long end) {
    for (Iterator<ServedSpan> i = spans.iterator(); i.hasNext(); ) {
      ServedSpan each = i.next();
      if (each.end == Long.MAX_VALUE && each.span.equals(span)) {
        each.end = end;
        answersElsewhere |= tid != each.tid;
        return;
      }
    }
  }

  /** Whether a thread that reads a request need not be the one that works on it. */
  boolean answersElsewhere() {
    return answersElsewhere;
  }

  /** All that could be the span of a line, up to two; an open one may have been forgotten. */
  Candidates of(int tid, long time, long before, long after) {
    ServedSpan only = null;
    for (int i = spans.size() - 1; i >= 0; i--) {
      ServedSpan each = spans.get(i);
      if ((tid == 0 || each.tid == tid) && each.covers(time, before, after)) {
        if (only != null) {
          return new Candidates(only, true);
        }
        only = each;
      }
    }
    return new Candidates(only, overflown && only != null && tid == 0);
  }

  /**
   * @param latest the one that began last; null if there is none
   * @param several whether there are more
   */
  record Candidates(@Nullable ServedSpan latest, boolean several) {
    @Nullable ServedSpan only() {
      return several ? null : latest;
    }
  }
}
