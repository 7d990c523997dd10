/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.time.Duration;

/** A host, and how the clocks of those that it calls differ from its own. */
final class Host {
  private static final int MOST_CALLED = 1024;

  /** How long an exchange is on the way, before the first one was seen. */
  private static final double FIRST_GUESS = Duration.ofMillis(1).toNanos();

  private final long skew;
  private final Recent<Host, OffsetVotes> called = new Recent<>(MOST_CALLED, forgotten -> {});

  /**
   * @param skew the largest that is looked for
   */
  Host(long skew) {
    this.skew = skew;
  }

  OffsetVotes votes(Host server) {
    OffsetVotes votes = called.get(server);
    if (votes == null) {
      votes = new OffsetVotes(skew, FIRST_GUESS);
      called.put(server, votes);
    }
    return votes;
  }

  ClockOffset offset(Host server) {
    return equals(server) ? ClockOffset.SAME_CLOCK : votes(server).offset();
  }
}
