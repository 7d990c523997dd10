/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** How many bytes requests may hold together; there is no waiting for more, only trying again. */
final class Room {
  private static final Duration UNTIL_THERE_IS_SOME = Duration.ofSeconds(1);

  private final long bound;
  private final AtomicLong held = new AtomicLong();

  Room(long bound) {
    this.bound = bound;
  }

  Share share() {
    return new Share();
  }

  /** What one request holds; it grows as bytes come, so that who sends slowly holds little. */
  final class Share implements AutoCloseable {
    private long bytes;

    void grow(int more) throws RefusedException {
      if (held.addAndGet(more) > bound) {
        held.addAndGet(-more);
        throw RefusedException.later(
            UNTIL_THERE_IS_SOME, "requests hold the " + bound + " bytes that they may already");
      }
      bytes += more;
    }

    @Override
    public void close() {
      held.addAndGet(-bytes);
      bytes = 0;
    }
  }
}
