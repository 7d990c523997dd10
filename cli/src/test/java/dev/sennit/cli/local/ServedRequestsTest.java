/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.SpanKey;
import dev.sennit.tracing.traffic.TraceIds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServedRequestsTest {
  private static final String TRACE = "000000000000000a000000000000000b";

  private final TraceNames names = new TraceNames();
  private final ServedRequests served = new ServedRequests(names);

  private static TraceIds ids(long span) {
    return new TraceIds(0xa, 0xb, span, 0, 1);
  }

  private static SpanKey key(String span) {
    return new SpanKey(TRACE, "000000000000000" + span);
  }

  @Test
  void aThreadWorksForTheRequestThatItReadUntilItIsAnswered() {
    served.served(1, 2, ids(3), 100, 200);
    served.served(1, 2, ids(4), 250, 300);

    assertThat(served.ownerOf(1, 2, 99)).isNull();
    assertThat(served.ownerOf(1, 2, 100)).isEqualTo(key("3"));
    assertThat(served.ownerOf(1, 2, 199)).isEqualTo(key("3"));
    assertThat(served.ownerOf(1, 2, 200)).isNull();
    assertThat(served.ownerOf(1, 2, 260)).isEqualTo(key("4"));
    assertThat(served.ownerOf(1, 2, 300)).isNull();
  }

  @Test
  void otherThreadsAndProcessesHaveNothingOfIt() {
    served.served(1, 2, ids(3), 100, 200);

    assertThat(served.ownerOf(1, 3, 150)).isNull();
    assertThat(served.ownerOf(2, 2, 150)).isNull();
  }

  @Test
  void twoAtATimeMakeBothSilent() {
    served.served(1, 2, ids(3), 150, 160);
    served.served(1, 2, ids(4), 100, 200);
    served.served(1, 2, ids(5), 200, 210);
    served.served(1, 2, ids(6), 300, 310);
    served.served(1, 2, ids(7), 300, 320);

    assertThat(served.ownerOf(1, 2, 120)).isNull();
    assertThat(served.ownerOf(1, 2, 155)).isNull();
    assertThat(served.ownerOf(1, 2, 180)).isNull();
    assertThat(served.ownerOf(1, 2, 205)).isEqualTo(key("5"));
    assertThat(served.ownerOf(1, 2, 305)).isNull();
  }

  @Test
  void aTraceIsCalledAsItIsInTheEnd() {
    served.served(1, 2, ids(3), 100, 200);
    names.named(TRACE, "000000000000000c000000000000000d");

    assertThat(served.ownerOf(1, 2, 150))
        .isEqualTo(new SpanKey("000000000000000c000000000000000d", "0000000000000003"));
  }

  @Test
  void whatIsLongAgoIsForgotten() {
    long later = Duration.ofMinutes(4).toNanos();
    served.served(1, 2, ids(3), 100, 200);
    served.served(1, 9, ids(4), later, later + 10);

    assertThat(served.ownerOf(1, 2, 150)).isNull();
    assertThat(served.ownerOf(1, 9, later)).isEqualTo(key("4"));
  }
}
