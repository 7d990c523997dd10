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
  private int from;
  private int to;
  private long longest;

  /** They come nearly in order, so that little has to move. */
  void add(Half half) {
    if (to == halves.length) {
      makeRoom();
    }
    int i = to++;
    for (; i > from && isAfter(at(i - 1), half); i--) {
      halves[i] = halves[i - 1];
    }
    halves[i] = half;
    longest = Math.max(longest, half.duration());
  }

  private static boolean isAfter(Half one, Half other) {
    return one.start > other.start || (one.start == other.start && one.end > other.end);
  }

  private void makeRoom() {
    int size = size();
    @Nullable Half[] larger = size > halves.length / 2 ? new Half[2 * halves.length] : halves;
    System.arraycopy(halves, from, larger, 0, size);
    halves = larger;
    Arrays.fill(halves, size, halves.length, null);
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
      if (at(middle).start <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - from;
  }
}
