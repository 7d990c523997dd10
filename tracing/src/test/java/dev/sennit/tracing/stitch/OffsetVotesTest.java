/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import static dev.sennit.tracing.stitch.TestSpan.client;
import static dev.sennit.tracing.stitch.TestSpan.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.span.Span;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OffsetVotesTest {
  private static final long SKEW = Duration.ofMillis(20).toNanos();
  private static final long AHEAD = 3_700_000;

  private final OffsetVotes votes = new OffsetVotes(SKEW);

  private void vote(double clientStart, double clientEnd, double serverStart, double serverEnd) {
    votes.vote(
        half(client(1, 1).at(clientStart, clientEnd).make()),
        half(server(2).at(serverStart, serverEnd).make()));
  }

  private static Half half(Span span) {
    Host host = new Host(SKEW);
    return new Half(span, host, new Connection(new Connection.Key(null, null, "", 0), host));
  }

  @Test
  void nothingIsKnownFromAFew() {
    for (int i = 0; i < 7; i++) {
      vote(0, 10, 4, 13);
    }
    assertThat(votes.offset()).isEqualTo(new ClockOffset(-SKEW, SKEW, false));
  }

  @Test
  void theTrueOffsetIsWhatMostAgreeOn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      double begin = i * 100;
      double there = random.nextDouble(0.1, 1);
      vote(begin, begin + 10, begin + 3.7 + there, begin + 13.7 - random.nextDouble(0.1, 1));
      double other = begin + random.nextDouble(-10, 10);
      vote(begin, begin + 10, other, other + random.nextDouble(1, 9));
    }
    ClockOffset offset = votes.offset();
    assertThat(offset.known()).isTrue();
    assertThat(AHEAD).isBetween(offset.least(), offset.most());
    assertThat(offset.most() - offset.least()).isLessThan(1_000_000);
  }

  @Test
  void whatRepeatsItselfAtAFixedPaceLeavesItOpen() {
    for (int i = 0; i < 50; i++) {
      double begin = i * 10;
      vote(begin, begin + 5, begin + 3.7, begin + 8);
      vote(begin, begin + 5, begin - 6.3, begin - 2);
    }
    assertThat(votes.offset().known()).isFalse();
  }

  @Test
  void clocksThatChangeAreFoundAgain() {
    for (int i = 0; i < 300; i++) {
      vote(0, 10, 4, 13);
    }
    assertThat(votes.offset().least()).isEqualTo(3_000_000);
    for (int i = 0; i < 300; i++) {
      vote(0, 10, -4, 5);
    }
    assertThat(votes.offset()).isEqualTo(new ClockOffset(-5_000_000, -4_000_000, true));
  }

  @Test
  void aHostAgreesWithItself() {
    Host host = new Host(SKEW);
    assertThat(host.votes(host).offset()).isEqualTo(new ClockOffset(0, 0, true));
  }
}
