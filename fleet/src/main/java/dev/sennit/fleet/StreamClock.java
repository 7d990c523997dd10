/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How far time has come where several sources flow together: as far as in the one that is farthest
 * behind, so that nothing is decided while an instance that stands still has what is needed for it.
 * A source that says nothing for a while is not waited for; if none says anything, time goes on
 * with the host's clock. A time that is ahead of the host's clock is taken for that one, so that a
 * producer whose clock is wrong does not drive it.
 *
 * <p>All times are milliseconds since 1970.
 */
final class StreamClock {
  /** Who asks less often than this does not listen in between. */
  private static final long LONGEST_PAUSE = 1_000;

  private static final class Source {
    long time;
    long heardAt;
  }

  private final long patience;
  private final Map<Integer, Source> sources = new HashMap<>();
  private long last;

  /** How long somebody has listened until the last question, and when that was. */
  private long listened;

  private long askedAt = Long.MIN_VALUE;

  /**
   * @param patience how long a source is waited for that says nothing
   * @param known so many sources are waited for from the begin; there may be others
   */
  StreamClock(Duration patience, int known) {
    this.patience = patience.toMillis();
    for (int i = 0; i < known; i++) {
      sources.put(i, new Source());
    }
  }

  /** Goes on from where it was before a restart. */
  void startAt(long time) {
    last = Math.max(last, time);
  }

  void observe(int number, long time, long hostTime) {
    Source source = sources.computeIfAbsent(number, fresh -> new Source());
    source.time = Math.max(source.time, Math.min(time, hostTime));
    source.heardAt = listened;
  }

  /** It never goes back. */
  long now(long hostTime) {
    if (askedAt != Long.MIN_VALUE) {
      listened += Math.clamp(hostTime - askedAt, 0, LONGEST_PAUSE);
    }
    askedAt = hostTime;
    long least = Long.MAX_VALUE;
    long idle = 0;
    for (Source source : sources.values()) {
      long quiet = listened - source.heardAt;
      if (quiet <= patience) {
        least = Math.min(least, source.time);
      } else {
        idle = Math.max(idle, source.time + quiet);
      }
    }
    last = Math.max(last, Math.min(hostTime, least == Long.MAX_VALUE ? idle : least));
    return last;
  }
}
