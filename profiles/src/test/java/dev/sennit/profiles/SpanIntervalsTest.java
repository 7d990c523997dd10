/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.dictionary.LinkTable;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SpanIntervalsTest {
  private static final long THREAD = 7;

  private final SpanIntervals spans = new SpanIntervals();
  private final LinkTable links = new LinkTable();

  @Test
  void anIntervalCountsFromItsStartToBeforeItsEnd() {
    spans.add(THREAD, 10, 20, 0, 1, 5);
    spans.seal();
    assertThat(spanAt(9)).isZero();
    assertThat(spanAt(10)).isEqualTo(5);
    assertThat(spanAt(19)).isEqualTo(5);
    assertThat(spanAt(20)).isZero();
  }

  @Test
  void aSpanStaysTheSameWhereNoneBeginsOrEnds() {
    spans.add(THREAD, 10, 20, 0, 1, 5);
    spans.seal();
    assertThat(spans.staySame(THREAD, 1, 9)).isTrue();
    assertThat(spans.staySame(THREAD, 9, 10)).isFalse();
    assertThat(spans.staySame(THREAD, 10, 19)).isTrue();
    assertThat(spans.staySame(THREAD, 19, 20)).isFalse();
    assertThat(spans.staySame(THREAD, 1, 30)).isFalse();
    assertThat(spans.staySame(THREAD + 1, 1, 30)).isTrue();
  }

  @Test
  void afterAnInnerIntervalTheOuterOneIsBack() {
    spans.add(THREAD, 12, 15, 0, 1, 6);
    spans.add(THREAD, 10, 20, 0, 1, 5);
    spans.seal();
    assertThat(spanAt(11)).isEqualTo(5);
    assertThat(spanAt(12)).isEqualTo(6);
    assertThat(spanAt(15)).isEqualTo(5);
  }

  @Test
  void ofIntervalsThatAreAlikeTheOneWrittenFirstIsTheInner() {
    spans.add(THREAD, 10, 20, 0, 1, 6);
    spans.add(THREAD, 10, 20, 0, 1, 5);
    spans.seal();
    assertThat(spanAt(15)).isEqualTo(6);
  }

  @Test
  void aMarkHoldsUntilTheNext() {
    spans.mark(THREAD, 30, 0, 0, 0);
    spans.mark(THREAD, 10, 0, 1, 5);
    spans.mark(THREAD, 20, 0, 1, 6);
    spans.mark(THREAD, 40, 0, 1, 7);
    spans.seal();
    assertThat(spanAt(9)).isZero();
    assertThat(spanAt(10)).isEqualTo(5);
    assertThat(spanAt(20)).isEqualTo(6);
    assertThat(spanAt(30)).isZero();
    assertThat(spanAt(Long.MAX_VALUE - 1)).isEqualTo(7);
  }

  @Test
  void anotherThreadHasItsOwnSpans() {
    spans.add(THREAD + 1, 10, 20, 0, 1, 5);
    spans.seal();
    assertThat(spanAt(15)).isZero();
  }

  @Test
  void whatHasNoIdsSaysNothing() {
    spans.add(THREAD, 10, 20, 0, 0, 5);
    spans.add(THREAD, 10, 20, 0, 1, 0);
    spans.add(THREAD, 20, 20, 0, 1, 5);
    assertThat(spans.isEmpty()).isTrue();
  }

  @Test
  void allBitsOfTheIdsAreKept() {
    spans.add(THREAD, 10, 20, Long.MIN_VALUE, -2, -3);
    spans.seal();
    int link = spans.link(THREAD, 10, links);
    assertThat(links.traceIdHigh(link)).isEqualTo(Long.MIN_VALUE);
    assertThat(links.traceIdLow(link)).isEqualTo(-2);
    assertThat(links.spanId(link)).isEqualTo(-3);
  }

  /** Bounds that are close together, so that they meet in all ways. */
  record Interval(long start, long end) {}

  @Property
  void theInnermostIsTheOneThatANaiveSearchFinds(@ForAll("intervals") List<Interval> intervals) {
    SpanIntervals all = new SpanIntervals();
    SpanIntervals later = new SpanIntervals();
    for (int i = 0; i < intervals.size(); i++) {
      Interval interval = intervals.get(i);
      (i % 3 == 0 ? all : later).add(THREAD, interval.start, interval.end, 0, 1, i + 1);
    }
    all.addAll(later);
    all.seal();
    LinkTable table = new LinkTable();
    for (long time = -1; time < 45; time++) {
      int link = all.link(THREAD, time, table);
      assertThat(link == 0 ? 0 : table.spanId(link)).isEqualTo(naive(intervals, time));
    }
  }

  @Provide
  Arbitrary<List<Interval>> intervals() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 20), Arbitraries.longs().between(0, 20))
        .as((start, length) -> new Interval(start, start + length))
        .list()
        .ofMaxSize(30);
  }

  private static long naive(List<Interval> intervals, long time) {
    List<Integer> added = new ArrayList<>();
    for (int part = 0; part < 2; part++) {
      for (int i = 0; i < intervals.size(); i++) {
        if ((i % 3 == 0) == (part == 0)) {
          added.add(i);
        }
      }
    }
    int best = -1;
    for (int i : added) {
      Interval interval = intervals.get(i);
      if (interval.start <= time && time < interval.end) {
        boolean inner =
            best < 0
                || interval.start > intervals.get(best).start
                || (interval.start == intervals.get(best).start
                    && interval.end < intervals.get(best).end);
        best = inner ? i : best;
      }
    }
    return best + 1L;
  }

  private long spanAt(long time) {
    int link = spans.link(THREAD, time, links);
    return link == 0 ? 0 : links.spanId(link);
  }
}
