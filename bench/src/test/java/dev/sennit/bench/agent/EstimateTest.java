/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.bench.agent.Estimate.Interval;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void quartilesLieBetweenMeasurementsInProportion() {
    Estimate four = Estimate.of(List.of(8.0, 2.0, 4.0, 0.0));
    assertThat(four.median()).isEqualTo(3);
    assertThat(four.printQuartiles()).isEqualTo("1.5..5.0");
    assertThat(four.printRange()).isEqualTo("0.0..8.0");
  }

  @Test
  void fourMeasurementsGiveNoInterval() {
    assertThat(Estimate.of(List.of(8.0, 2.0, 4.0, 0.0)).interval()).isEmpty();
    assertThat(Estimate.of(List.of(8.0, 2.0, 4.0, 0.0, 3.0)).interval()).isPresent();
  }

  @Test
  void theIntervalHoldsTheMedianAndIgnoresWhatIsFarOff() {
    List<Double> values =
        IntStream.rangeClosed(1, 21).mapToObj(i -> i == 21 ? 1000.0 : Double.valueOf(i)).toList();
    Interval interval = Estimate.of(values).interval().orElseThrow();
    assertThat(interval.from()).isBetween(6.0, 9.0);
    assertThat(interval.to()).isBetween(13.0, 16.0);
  }

  @Test
  void whatIsAlwaysTheSameIsCertain() {
    assertThat(Estimate.of(Collections.nCopies(5, 3.0)).interval()).contains(new Interval(3, 3));
  }

  @Test
  void intervalsThatTouchOverlap() {
    assertThat(new Interval(1, 2).overlaps(new Interval(2, 3))).isTrue();
    assertThat(new Interval(0, 9).overlaps(new Interval(2, 3))).isTrue();
    assertThat(new Interval(2.5, 3).overlaps(new Interval(1, 2))).isFalse();
  }
}
