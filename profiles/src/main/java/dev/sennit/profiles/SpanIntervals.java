/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Which span was current on which thread when, as recordings tell it by intervals. Intervals are
 * added first, in any order; then, sealed, it answers for any moment and may be asked by several
 * threads.
 *
 * <p>Of several intervals that are open at a moment the one that began last is the innermost.
 */
final class SpanIntervals {
  private final Map<Long, OfThread> threads = new HashMap<>();

  /**
   * Says that a span was current.
   *
   * @param thread the OS thread
   * @param start first nanosecond
   * @param end nanosecond after the last
   */
  void add(long thread, long start, long end, long traceIdHigh, long traceIdLow, long spanId) {
    if (end > start && spanId != 0 && (traceIdHigh | traceIdLow) != 0) {
      threads
          .computeIfAbsent(thread, id -> new OfThread())
          .add(start, end, traceIdHigh, traceIdLow, spanId);
    }
  }

  boolean isEmpty() {
    return threads.isEmpty();
  }

  /** Ends the adding. */
  void seal() {
    threads.values().forEach(OfThread::seal);
  }

  /** The number of the interval that counts on a thread at a moment; -1 when there is none. */
  long find(long thread, long time) {
    OfThread intervals = threads.get(thread);
    return intervals == null ? -1 : intervals.find(time);
  }

  long traceIdHigh(long thread, long interval) {
    return of(thread).ids[(int) interval * 3];
  }

  long traceIdLow(long thread, long interval) {
    return of(thread).ids[(int) interval * 3 + 1];
  }

  long spanId(long thread, long interval) {
    return of(thread).ids[(int) interval * 3 + 2];
  }

  private OfThread of(long thread) {
    OfThread intervals = threads.get(thread);
    if (intervals == null) {
      throw new IllegalArgumentException("thread " + thread + " has no intervals");
    }
    return intervals;
  }

  /** The intervals of one thread. */
  private static final class OfThread {
    private long[] bounds = new long[16];
    private long[] ids = new long[24];
    private int count;

    /** Moments at which the innermost interval changes, and which one it is from then on. */
    private long[] changes = {};

    private int[] innermost = {};

    void add(long start, long end, long traceIdHigh, long traceIdLow, long spanId) {
      if (count * 2 == bounds.length) {
        bounds = Arrays.copyOf(bounds, bounds.length * 2);
        ids = Arrays.copyOf(ids, ids.length * 2);
      }
      bounds[count * 2] = start;
      bounds[count * 2 + 1] = end;
      ids[count * 3] = traceIdHigh;
      ids[count * 3 + 1] = traceIdLow;
      ids[count * 3 + 2] = spanId;
      count++;
    }

    /**
     * Sweeps over starts and ends with the open intervals on a heap, the one that began last on
     * top.
     */
    void seal() {
      Integer[] byStart = new Integer[count];
      Arrays.setAll(byStart, i -> i);
      Arrays.sort(
          byStart,
          Comparator.<Integer>comparingLong(i -> bounds[i * 2])
              .thenComparing(Comparator.<Integer>comparingLong(i -> bounds[i * 2 + 1]).reversed()));
      java.util.PriorityQueue<Integer> open =
          new java.util.PriorityQueue<>(
              Comparator.<Integer>comparingInt(position -> position).reversed());
      changes = new long[count * 2 + 1];
      innermost = new int[count * 2 + 1];
      int size = 0;
      int next = 0;
      while (next < count || !open.isEmpty()) {
        long end = open.isEmpty() ? Long.MAX_VALUE : bounds[byStart[open.peek()] * 2 + 1];
        long start = next < count ? bounds[byStart[next] * 2] : Long.MAX_VALUE;
        if (start < end) {
          open.add(next++);
          size = change(size, start, byStart[open.peek()]);
        } else {
          while (!open.isEmpty() && bounds[byStart[open.peek()] * 2 + 1] <= end) {
            open.remove();
          }
          size = change(size, end, open.isEmpty() ? -1 : byStart[open.peek()]);
        }
      }
      changes = Arrays.copyOf(changes, size);
      innermost = Arrays.copyOf(innermost, size);
    }

    private int change(int size, long time, int interval) {
      int at = size > 0 && changes[size - 1] == time ? size - 1 : size;
      changes[at] = time;
      innermost[at] = interval;
      return at + 1;
    }

    int find(long time) {
      int at = Arrays.binarySearch(changes, time);
      int last = at >= 0 ? at : -at - 2;
      return last < 0 ? -1 : innermost[last];
    }
  }
}
