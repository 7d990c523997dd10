/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamClockTest {
  private static final long NOW = 1_000_000;

  private final StreamClock clock = clockOf(0);

  private static StreamClock clockOf(int known) {
    return new StreamClock(Duration.ofSeconds(10), Duration.ofSeconds(8), known);
  }

  @Test
  void theSlowestSourceCounts() {
    clock.observe(0, NOW - 100, NOW);
    clock.observe(1, NOW - 5_000, NOW);
    assertThat(clock.now(NOW)).isEqualTo(NOW - 5_000);
    clock.observe(1, NOW - 50, NOW);
    assertThat(clock.now(NOW)).isEqualTo(NOW - 100);
  }

  @Test
  void aSourceThatSaysNothingIsNotWaitedForLongerThanThePatience() {
    clock.observe(1, NOW - 5_000, NOW);
    for (long time = NOW; time <= NOW + 10_000; time += 500) {
      clock.observe(0, time, time);
      assertThat(clock.now(time)).isEqualTo(NOW - 5_000);
    }
    clock.observe(0, NOW + 10_500, NOW + 10_500);
    assertThat(clock.now(NOW + 10_500)).isEqualTo(NOW + 10_500);
  }

  @Test
  void inSilenceItGoesOnWithTheHostsClock() {
    clock.observe(0, NOW - 60_000, NOW);
    long last = 0;
    for (long time = NOW; time <= NOW + 20_000; time += 500) {
      last = clock.now(time);
    }
    assertThat(last).isEqualTo(NOW - 40_000);
  }

  @Test
  void afterASilenceOfAllEverybodyIsWaitedForAnew() {
    clock.observe(0, NOW, NOW);
    clock.observe(1, NOW, NOW);
    for (long time = NOW; time <= NOW + 15_000; time += 500) {
      clock.now(time);
    }
    for (long time = NOW + 15_500; time <= NOW + 25_500; time += 500) {
      clock.observe(0, time, time);
      assertThat(clock.now(time)).isEqualTo(NOW + 15_000);
    }
    clock.observe(0, NOW + 26_000, NOW + 26_000);
    assertThat(clock.now(NOW + 26_000)).isEqualTo(NOW + 26_000);
  }

  @Test
  void whoWasHeardALittleEarlierThanAllFellSilentIsWaitedForAsLong() {
    clock.observe(1, NOW - 5_000, NOW);
    for (long time = NOW; time <= NOW + 6_000; time += 500) {
      clock.observe(0, time, time);
    }
    for (long time = NOW + 6_500; time <= NOW + 13_500; time += 500) {
      assertThat(clock.now(time)).isEqualTo(NOW - 5_000);
    }
  }

  @Test
  void whileNobodyListensNobodyIsSilent() {
    clock.observe(0, NOW, NOW);
    assertThat(clock.now(NOW)).isEqualTo(NOW);
    assertThat(clock.now(NOW + 3_600_000)).isEqualTo(NOW);
  }

  @Test
  void aTimeThatHasNotComeYetIsNotBelieved() {
    clock.observe(0, NOW + 3_600_000, NOW);
    assertThat(clock.now(NOW)).isEqualTo(NOW);
  }

  @Test
  void aSourceThatIsKnownIsWaitedForBeforeItSaysAnything() {
    StreamClock ofTwo = clockOf(2);
    ofTwo.observe(0, NOW, NOW);
    assertThat(ofTwo.now(NOW)).isZero();
    ofTwo.observe(1, NOW - 5_000, NOW);
    assertThat(ofTwo.now(NOW)).isEqualTo(NOW - 5_000);
  }

  @Test
  void itNeverGoesBack() {
    clock.startAt(NOW);
    clock.observe(0, NOW - 1_000, NOW);
    assertThat(clock.now(NOW)).isEqualTo(NOW);
  }
}
