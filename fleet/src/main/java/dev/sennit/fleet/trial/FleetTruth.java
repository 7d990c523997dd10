/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What was generated: which spans there are, and which belong together. */
public final class FleetTruth {
  /**
   * The other side of a SERVER span.
   *
   * @param clientSpan 0 if nobody saw the caller
   * @param sameEnds whether both sides see the same two ends
   */
  record Call(long clientSpan, boolean sameEnds) {}

  private final Map<Long, Call> calls = new HashMap<>();
  private final Set<Long> sent = new HashSet<>();

  void called(long serverSpan, long clientSpan, boolean sameEnds) {
    calls.put(serverSpan, new Call(clientSpan, sameEnds));
  }

  void sent(long span) {
    sent.add(span);
  }

  /** How many spans went out, those that went twice once. */
  public int spans() {
    return sent.size();
  }

  Map<Long, Call> calls() {
    return calls;
  }

  Set<Long> sent() {
    return sent;
  }
}
