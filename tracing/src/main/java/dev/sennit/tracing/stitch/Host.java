/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.Recent;
import org.jspecify.annotations.Nullable;

/** A host, and how the clocks of those that it calls differ from its own. */
final class Host {
  private static final int MOST_CALLED = 1024;

  private final long skew;
  private final Recent<Host, OffsetVotes> called = new Recent<>(MOST_CALLED);

  /** Questions come in rows about the same one. */
  private @Nullable Host lastAsked;

  private OffsetVotes lastAnswer;

  /**
   * @param skew the largest that is looked for
   */
  Host(long skew) {
    this.skew = skew;
    lastAnswer = OffsetVotes.ofOneClock();
    called.put(this, lastAnswer);
  }

  OffsetVotes votes(Host server) {
    if (lastAsked != server) {
      lastAsked = server;
      lastAnswer = called.computeIfAbsent(server, absent -> new OffsetVotes(skew));
    }
    return lastAnswer;
  }
}
