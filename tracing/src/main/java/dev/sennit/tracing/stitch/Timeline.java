/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The halves of one side of a connection, in the order in which they began. */
final class Timeline {
  private @Nullable Half[] halves = new Half[4];

  /** Beside the halves, so that searching does not go through memory that is anywhere. */
  private long[] starts = new long[4];

  private int from;
  private int to;
  private long longest;

  /** They come nearly in order, so that little has to move. */
  void add(Half half) {
    if (to == halves.length) {
      makeRoom();
    }
    int i = to++;
    for (; i > from && isBefore(half, i - 1); i--) {
      halves[i] = halves[i - 1];
      starts[i] = starts[i - 1];
    }
    halves[i] = half;
    starts[i] = half.start;
    longest = Math.max(longest, half.duration());
  }

  private boolean isBefore(Half half, int place) {
    return half.start < starts[place] || (half.start == starts[place] && half.end < at(place).end);
  }

  private void makeRoom() {
    int size = size();
    int length = size > halves.length / 2 ? 2 * halves.length : halves.length;
    halves = Arrays.copyOf(Arrays.copyOfRange(halves, from, to), length);
    starts = Arrays.copyOf(Arrays.copyOfRange(starts, from, to), length);
    from = 0;
    to = size;
  }

  /** Mostly the first, for it is the oldest that are forgotten. */
  boolean remove(Half half) {
    int i = from;
    while (i < to && halves[i] != half) {
      i++;
    }
    if (i == to) {
      return false;
    }
    System.arraycopy(halves, from, halves, from + 1, i - from);
    System.arraycopy(starts, from, starts, from + 1, i - from);
    halves[from++] = null;
    if (from == to) {
      longest = 0;
    }
    return true;
  }

  int size() {
    return to - from;
  }

  Half get(int index) {
    return at(from + index);
  }

  long start(int index) {
    return starts[from + index];
  }

  private Half at(int place) {
    return Objects.requireNonNull(halves[place]);
  }

  /** The longest that there was since it was empty. */
  long longest() {
    return longest;
  }

  /** How many began at this time or before. */
  int countUntil(long start) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - from;
  }
}
