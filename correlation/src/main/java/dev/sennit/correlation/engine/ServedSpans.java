/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.SpanContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of one process: those that are open, and those that ended a moment ago. */
final class ServedSpans {
  private static final int FEW = 64;

  private final int most;
  private final List<ServedSpan> spans = new ArrayList<>();
  private boolean answersElsewhere;
  private int tidyAt = FEW;

  /** Until when one was open that is not known any more. */
  private long forgottenUntil = Long.MIN_VALUE;

  ServedSpans(int most) {
    this.most = most;
  }

  /**
   * @param until spans that ended before are of no use any more
   */
  void add(ServedSpan span, long until) {
    if (spans.size() >= Math.min(most, tidyAt)) {
      forgetIf(spans, until);
      if (spans.size() >= most) {
        // Some at a time, so that those who have many need not look through them each time.
        forgetIf(spans.subList(0, (most + 1) / 2), Long.MAX_VALUE);
      }
      if (spans.size() >= most) {
        forgottenUntil = Long.MAX_VALUE;
        spans.removeFirst();
      }
      tidyAt = Math.max(FEW, 2 * spans.size());
    }
    spans.add(span);
  }

  private void forgetIf(List<ServedSpan> some, long endedBefore) {
    some.removeIf(
        each -> {
          boolean forgotten = each.end < endedBefore;
          if (forgotten) {
            forgottenUntil = Math.max(forgottenUntil, each.end);
          }
          return forgotten;
        });
  }

  /**
   * @param tid the thread that answered
   */
  void end(SpanContext span, int tid, long end) {
    for (int i = spans.size() - 1; i >= 0; i--) {
      ServedSpan each = spans.get(i);
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

  /** All that could be the span of a line, up to two; one that was open may have been forgotten. */
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
    boolean another = tid == 0 && time - after <= forgottenUntil;
    return new Candidates(only, another && only != null);
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
