/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class SharedProcessesTest {
  private final SampleProcesses processes = new SampleProcesses();
  private final SettableClock clock = new SettableClock();
  private final SharedProcesses shared = new SharedProcesses(processes, clock);

  private static final class SettableClock extends Clock {
    private long millis = 1000;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  /** The next look, after the time for which one is good. */
  private TimedSnapshot next() throws InterruptedException {
    int looks = processes.looks.get();
    TimedSnapshot now = shared.snapshot();
    while (processes.looks.get() == looks) {
      Thread.sleep(Duration.ofMillis(10));
      now = shared.snapshot();
    }
    return now;
  }

  @Test
  void aThreadIsInItsSpanSinceItWasFirstSeenInIt() throws InterruptedException {
    processes.put(SampleProcesses.process(1, "shop", null, SampleProcesses.threads(1, 1)));
    TimedSnapshot first = shared.snapshot();
    clock.millis = 2000;
    TimedSnapshot second = next();
    processes.put(SampleProcesses.process(1, "shop", null, SampleProcesses.threads(1, 2)));
    clock.millis = 3000;
    TimedSnapshot third = next();

    assertThat(first.threads().getFirst().list().getFirst().since()).isEqualTo(1000);
    assertThat(second.threads().getFirst().list().getFirst().since()).isEqualTo(1000);
    assertThat(second.changedSince(first)).isEmpty();
    assertThat(third.threads().getFirst().list().getFirst().since()).isEqualTo(3000);
    assertThat(third.changedSince(second)).hasSize(1);
    assertThat(third.isOfSameProcesses(first)).isTrue();
    processes.remove(1);
    assertThat(next().isOfSameProcesses(third)).isFalse();
  }

  @Test
  void itRestsWhenTheLastHasLeft() {
    shared.enter();
    shared.enter();
    shared.snapshot();
    shared.leave();
    assertThat(processes.rests).hasValue(0);
    shared.leave();
    assertThat(processes.rests).hasValue(1);
  }
}
