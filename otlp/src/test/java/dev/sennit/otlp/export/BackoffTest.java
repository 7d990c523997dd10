/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How long to wait after failures. */
class BackoffTest {
  /** Answers {@code value} for every number between 0 and 1: 0.5 is no jitter at all. */
  private static RandomGenerator always(double value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 0;
      }

      @Override
      public double nextDouble() {
        return value;
      }
    };
  }

  private static long millis(Backoff backoff) {
    return backoff.after(Optional.empty()).toMillis();
  }

  @Test
  void aPauseIsTwiceTheOneBeforeUpToHalfAMinute() {
    Backoff backoff = new Backoff(always(0.5));
    for (long expected : new long[] {1000, 2000, 4000, 8000, 16_000, 30_000, 30_000}) {
      assertThat(millis(backoff)).isEqualTo(expected);
    }
  }

  @Test
  void afterASuccessItBeginsAnew() {
    Backoff backoff = new Backoff(always(0.5));
    millis(backoff);
    millis(backoff);
    backoff.reset();
    assertThat(millis(backoff)).isEqualTo(1000);
  }

  @Test
  void nobodyWaitsAsLongAsEverybodyElse() {
    assertThat(millis(new Backoff(always(0)))).isEqualTo(800);
    assertThat(millis(new Backoff(always(1)))).isEqualTo(1200);
    Backoff backoff = new Backoff(new Random(1));
    for (int i = 0; i < 1000; i++) {
      assertThat(millis(backoff)).isBetween(800L, 30_000L);
    }
  }

  @Test
  void whatTheCollectorDemandsIsDoneWithinReason() {
    Backoff backoff = new Backoff(always(0.5));
    assertThat(backoff.after(Optional.of(Duration.ofMinutes(7)))).hasMinutes(7);
    assertThat(backoff.after(Optional.of(Duration.ofDays(7)))).hasHours(1);
    assertThat(backoff.after(Optional.of(Duration.ZERO))).hasSeconds(1);
  }
}
