/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What belongs together in generated traffic. Nothing of it is in the spans. */
public final class GroundTruth {
  /** The span that called, and what was between. */
  record Call(long clientSpan, Translation translation) {}

  private final Map<Long, Call> calls = new HashMap<>();
  private final Set<Long> lost = new HashSet<>();

  void called(long clientSpan, long serverSpan, Translation translation) {
    calls.put(serverSpan, new Call(clientSpan, translation));
  }

  void lost(long span) {
    lost.add(span);
  }

  /** How many exchanges there were of which both sides are observed. */
  public int size() {
    return calls.size();
  }

  /** By the ids of the SERVER spans. */
  Map<Long, Call> calls() {
    return calls;
  }

  boolean isLost(long span) {
    return lost.contains(span);
  }
}
