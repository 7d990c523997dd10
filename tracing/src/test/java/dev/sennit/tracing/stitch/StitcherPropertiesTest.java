/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.span.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class StitcherPropertiesTest {
  private static final int TRIES = 20;

  @Property(tries = TRIES)
  void theOrderInWhichSpansComeWithinTheWindowDoesNotMatter(
      @ForAll long seed, @ForAll long order, @ForAll @IntRange(min = 20, max = 300) int rate) {
    List<Span> spans = spans(GeneratedTraffic.of(seed, rate, 0.5));
    Map<Long, Long> expected = StitchScore.joins(stitch(spans));
    Collections.shuffle(spans, new Random(order));
    assertThat(StitchScore.joins(stitch(spans))).isEqualTo(expected);
  }

  @Property(tries = TRIES)
  void everySpanThatGoesInComesOutOnceWithItsOwnId(
      @ForAll long seed, @ForAll long order, @ForAll @IntRange(min = 1, max = 500) int held) {
    List<Span> spans = spans(GeneratedTraffic.of(seed, 200, 1));
    Collections.shuffle(spans, new Random(order));
    Stitcher stitcher = new Stitcher(StitcherSettings.defaults().withHeldSpans(held));
    List<Span> out = new ArrayList<>();
    for (Span span : spans) {
      stitcher.add(span, out::add);
      if (span.ids().spanId() % 5 == 0) {
        stitcher.advance(span.end(), out::add);
      }
    }
    stitcher.flush(out::add);
    assertThat(ids(out)).containsExactlyInAnyOrderElementsOf(ids(spans));
    assertThat(stitcher.held()).isZero();
  }

  @Property(tries = TRIES)
  void noMoreAreHeldThanAllowed(@ForAll long seed, @ForAll @IntRange(min = 1, max = 500) int held) {
    Stitcher stitcher = new Stitcher(StitcherSettings.defaults().withHeldSpans(held));
    List<Span> out = new ArrayList<>();
    int in = 0;
    for (Span span : spans(GeneratedTraffic.of(seed, 300, 1))) {
      stitcher.add(span, out::add);
      in++;
      assertThat(stitcher.held()).isLessThanOrEqualTo(held).isEqualTo(in - out.size());
      assertThat(stitcher.remembered()).isLessThanOrEqualTo(6 * held + 2);
    }
  }

  private static List<Span> stitch(List<Span> spans) {
    Stitcher stitcher = new Stitcher(StitcherSettings.defaults());
    List<Span> out = new ArrayList<>();
    spans.forEach(span -> stitcher.add(span, out::add));
    stitcher.flush(out::add);
    return out;
  }

  private static List<Span> spans(GeneratedTraffic traffic) {
    return traffic.arrivals().stream()
        .map(Arrival::span)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static List<Long> ids(List<Span> spans) {
    return spans.stream().map(span -> span.ids().spanId()).toList();
  }
}
