/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.util.concurrent.atomic.LongAdder;

/** Counts what comes of one signal. */
final class Tally {
  private final LongAdder requests = new LongAdder();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder malformed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void request() {
    requests.increment();
  }

  void taken(long taken, long notTaken) {
    accepted.add(taken);
    rejected.add(notTaken);
  }

  void refused(Refusal refusal) {
    (refusal == Refusal.MALFORMED ? malformed : refused).increment();
  }

  void bytes(long count) {
    bytes.add(count);
  }

  SignalCounters counters() {
    return new SignalCounters(
        requests.sum(),
        accepted.sum(),
        rejected.sum(),
        malformed.sum(),
        refused.sum(),
        bytes.sum());
  }
}
