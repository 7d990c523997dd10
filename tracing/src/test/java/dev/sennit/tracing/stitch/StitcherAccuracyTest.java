/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.span.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bench/stitcher} shows for all rates, here for the smaller ones. */
class StitcherAccuracyTest {
  @ParameterizedTest
  @CsvSource({"1, 200", "2, 200", "3, 1000", "4, 1000"})
  void nearlyAllThatBelongsTogetherIsJoinedAndHardlyAnythingElse(long seed, int rate) {
    GeneratedTraffic traffic = GeneratedTraffic.of(seed, rate, 4);
    List<Span> out =
        StitchScore.stitch(new Stitcher(StitcherSettings.defaults()), traffic.arrivals());
    StitchScore score = StitchScore.of(StitchScore.joins(out), traffic.truth());
    assertThat(score.precision()).isGreaterThanOrEqualTo(0.99);
    assertThat(score.recall(Translation.NONE)).isGreaterThanOrEqualTo(0.95);
    assertThat(score.recallOfTranslated()).isGreaterThanOrEqualTo(0.8);
    StitchScore plain =
        StitchScore.of(
            PlainRule.joins(traffic.arrivals().stream().map(Arrival::span).toList()),
            traffic.truth());
    assertThat(plain.precision()).isLessThan(score.precision());
    assertThat(plain.recall(Translation.NONE)).isLessThan(score.recall(Translation.NONE));
  }

  @ParameterizedTest
  @CsvSource({"5, 200", "6, 1000"})
  void everySpanIsInTheTraceOfItsParent(long seed, int rate) {
    GeneratedTraffic traffic = GeneratedTraffic.of(seed, rate, 3);
    List<Span> out =
        StitchScore.stitch(new Stitcher(StitcherSettings.defaults()), traffic.arrivals());
    Map<Long, Span> byId = new HashMap<>();
    out.forEach(span -> byId.put(span.ids().spanId(), span));
    assertThat(byId).hasSameSizeAs(traffic.arrivals());
    for (Span span : out) {
      Span parent = byId.get(span.ids().parentId());
      if (parent != null) {
        assertThat(span.ids().isSameTrace(parent.ids())).as("%s below %s", span, parent).isTrue();
      }
    }
  }
}
