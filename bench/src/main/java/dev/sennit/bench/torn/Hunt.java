/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import java.time.Duration;

/**
 * A reader set on the writer, and what it must come back with.
 *
 * @param reader how it reads, for people
 * @param pass reads every slot once
 * @param fewestAccepted with fewer accepted reads nothing is shown
 */
record Hunt(String reader, RingPass pass, Quarry quarry, long fewestAccepted) {
  enum Quarry {
    /** The reader is right: what it accepts is never torn. */
    NOTHING,
    /** The reader is known to be wrong: that it accepts something torn shows that the hunt can. */
    SOMETHING
  }

  /** Reads for {@code atLeast}, and then on until enough is shown, but not for {@code atMost}. */
  Tally run(Duration atLeast, Duration atMost) {
    Tally tally = new Tally();
    long start = System.nanoTime();
    long elapsed;
    do {
      pass.read(tally);
      elapsed = System.nanoTime() - start;
    } while (elapsed < atLeast.toNanos() || (!isEnough(tally) && elapsed < atMost.toNanos()));
    return tally;
  }

  private boolean isEnough(Tally tally) {
    return tally.accepted() >= fewestAccepted && (quarry == Quarry.NOTHING || tally.torn() > 0);
  }

  boolean isMet(Tally tally) {
    return isEnough(tally) && (quarry == Quarry.SOMETHING || tally.torn() == 0);
  }
}
