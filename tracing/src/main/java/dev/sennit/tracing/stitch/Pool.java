/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.function.Consumer;

/**
 * Halves of many connections, to be found by time. Those of one order of magnitude of duration are
 * together, so that what lies around or inside of a span of time is found without looking at all
 * that is long.
 */
final class Pool {
  /** So many of each magnitude are looked at, at most. */
  private static final int FARTHEST = 1024;

  private final Timeline[] timelines = new Timeline[Long.SIZE];
  private int size;

  Pool() {
    for (int i = 0; i < timelines.length; i++) {
      timelines[i] = new Timeline();
    }
  }

  void add(Half half) {
    timelines[magnitude(half.duration())].add(half);
    size++;
  }

  void remove(Half half) {
    size -= timelines[magnitude(half.duration())].remove(half) ? 1 : 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  private static int magnitude(long duration) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(duration | 1);
  }

  /** Those that may lie around a half if clocks differ by no more than the skew. */
  void around(Half half, long skew, Consumer<Half> found) {
    for (int i = magnitude(Math.max(0, half.duration() - 2 * skew)); i < timelines.length; i++) {
      Timeline timeline = timelines[i];
      if (timeline.size() > 0) {
        between(timeline, half.end - skew - timeline.longest(), half.start + skew, found);
      }
    }
  }

  /** Those that may lie inside of it. */
  void inside(Half half, long skew, Consumer<Half> found) {
    int longest = magnitude(half.duration() + 2 * skew);
    for (int i = 0; i <= longest; i++) {
      if (timelines[i].size() > 0) {
        between(timelines[i], half.start - skew, half.end + skew, found);
      }
    }
  }

  private static void between(Timeline timeline, long first, long last, Consumer<Half> found) {
    int i = timeline.countUntil(last) - 1;
    int stop = Math.max(0, i - FARTHEST);
    for (; i >= stop && timeline.start(i) >= first; i--) {
      found.accept(timeline.get(i));
    }
  }
}
