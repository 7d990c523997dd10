/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.Arrays;

/**
 * The offset of two hosts' clocks, found by Marzullo's algorithm. If a server's half belongs to a
 * client's, it lies inside of it, and the offset is in an interval as wide as the time on the way.
 * The true ones all have the true offset in common, the others agree on nothing.
 */
final class OffsetVotes {
  private static final int CAPACITY = 256;
  private static final int FEWEST = 8;

  /** How often they are counted while as many come as there are. */
  private static final int COUNTS_IF_KNOWN = 2;

  private static final int COUNTS_IF_UNKNOWN = 32;

  /** Below this share of the most votes, an offset no longer belongs to the summit. */
  private static final double SUMMIT = 0.9;

  /** Beyond the foot of the hill there must not be another that is nearly as high. */
  private static final double FOOT = 0.5;

  private static final double SECOND = 0.75;

  private static final double WEIGHT_OF_NEWEST = 0.02;

  /** How long an exchange is on the way, before the first one was seen. */
  private static final double FIRST_GUESS = 1_000_000;

  private final ClockOffset unknown;
  private final long[] least = new long[CAPACITY];
  private final long[] most = new long[CAPACITY];
  private int size;
  private int next;
  private int uncounted;
  private ClockOffset offset;
  private double onTheWay = FIRST_GUESS;

  /**
   * @param skew the largest that is looked for
   */
  OffsetVotes(long skew) {
    this(new ClockOffset(-skew, skew, false));
  }

  private OffsetVotes(ClockOffset unknown) {
    this.unknown = unknown;
    this.offset = unknown;
  }

  /** Of a host that calls itself. */
  static OffsetVotes ofOneClock() {
    return new OffsetVotes(new ClockOffset(0, 0, true));
  }

  /** These two may be the sides of one exchange. Hosts that are one need no votes. */
  void vote(Half client, Half server) {
    long low = server.end - client.end;
    long high = server.start - client.start;
    if (low > high || low > unknown.most() || high < unknown.least()) {
      return;
    }
    least[next] = low;
    most[next] = high;
    next = (next + 1) % CAPACITY;
    size = Math.min(size + 1, CAPACITY);
    uncounted++;
  }

  ClockOffset offset() {
    if (uncounted * (offset.known() ? COUNTS_IF_KNOWN : COUNTS_IF_UNKNOWN) > size) {
      uncounted = 0;
      offset = count();
    }
    return offset;
  }

  /** How long the way there and back takes together, in nanoseconds, on average. */
  double onTheWay() {
    return onTheWay;
  }

  void joined(Half client, Half server) {
    double time = Math.max(0, client.duration() - server.duration());
    onTheWay += WEIGHT_OF_NEWEST * (Math.min(time, 10 * onTheWay) - onTheWay);
  }

  private ClockOffset count() {
    long[] begins = Arrays.copyOf(least, size);
    long[] ends = Arrays.copyOf(most, size);
    Arrays.sort(begins);
    Arrays.sort(ends);
    long[] places = new long[2 * size];
    int[] heights = new int[2 * size];
    int highest = 0;
    int height = 0;
    for (int begin = 0, end = 0; end < size; ) {
      int i = begin + end;
      if (begin < size && begins[begin] <= ends[end]) {
        places[i] = begins[begin++];
        height++;
      } else {
        places[i] = ends[end++];
        height--;
      }
      heights[i] = height;
      highest = height > heights[highest] ? i : highest;
    }
    return heights[highest] < FEWEST ? unknown : summit(places, heights, highest);
  }

  private ClockOffset summit(long[] places, int[] heights, int highest) {
    int peak = heights[highest];
    int from = highest;
    int to = highest + 1;
    while (from > 0 && heights[from - 1] >= SUMMIT * peak) {
      from--;
    }
    while (heights[to] >= SUMMIT * peak) {
      to++;
    }
    int footBefore = from;
    int footBehind = to;
    while (footBefore > 0 && heights[footBefore - 1] >= FOOT * peak) {
      footBefore--;
    }
    while (heights[footBehind] >= FOOT * peak) {
      footBehind++;
    }
    for (int i = 0; i < heights.length; i++) {
      if ((i < footBefore || i > footBehind) && heights[i] >= SECOND * peak) {
        return unknown;
      }
    }
    return new ClockOffset(places[from], places[to], true);
  }
}
