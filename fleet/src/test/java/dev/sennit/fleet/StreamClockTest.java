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

  private final StreamClock clock = new StreamClock(Duration.ofSeconds(10), 0);

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
    StreamClock ofTwo = new StreamClock(Duration.ofSeconds(10), 2);
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
