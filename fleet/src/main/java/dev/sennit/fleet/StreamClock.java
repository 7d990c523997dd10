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
 * with the host's clock, and when one does again, all are waited for anew. A time that is ahead of
 * the host's clock is taken for that one, so that a producer whose clock is wrong does not drive
 * it.
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
  private final long silence;
  private final Map<Integer, Source> sources = new HashMap<>();
  private long last;

  /** How long somebody has listened, and until when. */
  private long listened;

  private long askedAt = Long.MIN_VALUE;

  /** How long it had listened when a source was heard the last time. */
  private long heardAnyAt;

  /**
   * @param patience how long a source is waited for that says nothing while others do
   * @param silence how long all may say nothing before time goes on
   * @param known so many sources are waited for from the begin; there may be others
   */
  StreamClock(Duration patience, Duration silence, int known) {
    this.patience = patience.toMillis();
    this.silence = silence.toMillis();
    for (int i = 0; i < known; i++) {
      sources.put(i, new Source());
    }
  }

  /** Goes on from where it was before a restart. */
  void startAt(long time) {
    last = Math.max(last, time);
  }

  void observe(int number, long time, long hostTime) {
    listen(hostTime);
    if (listened - heardAnyAt > silence) {
      // That one was as silent as all others says nothing about it.
      sources.values().forEach(source -> source.heardAt = listened);
    }
    heardAnyAt = listened;
    Source source = sources.computeIfAbsent(number, fresh -> new Source());
    source.time = Math.max(source.time, Math.min(time, hostTime));
    source.heardAt = listened;
  }

  private void listen(long hostTime) {
    if (askedAt != Long.MIN_VALUE) {
      listened += Math.clamp(hostTime - askedAt, 0, LONGEST_PAUSE);
    }
    askedAt = hostTime;
  }

  /** It never goes back. */
  long now(long hostTime) {
    listen(hostTime);
    long quiet = listened - heardAnyAt;
    long least = Long.MAX_VALUE;
    long latest = 0;
    for (Source source : sources.values()) {
      if (heardAnyAt - source.heardAt <= patience) {
        least = Math.min(least, source.time);
      }
      latest = Math.max(latest, source.time);
    }
    last = Math.max(last, Math.min(hostTime, quiet > silence ? latest + quiet : least));
    return last;
  }
}
