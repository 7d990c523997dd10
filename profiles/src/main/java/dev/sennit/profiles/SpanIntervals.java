/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.LinkTable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Which span was current on which thread when, as recordings tell it: by intervals, or by marks
 * that hold until the next mark of the thread. They are added first, in any order; then, sealed, it
 * answers for any moment and may be asked by several threads.
 *
 * <p>Of several intervals that are open at a moment the one that began last is the innermost; of
 * those that began together the one that ends first; of those that are alike the one that was added
 * first, for an inner scope is written when it ends, before the outer.
 */
final class SpanIntervals {
  private final Map<Long, OfThread> threads = new HashMap<>();

  /**
   * Says that a span was current; without ids it says nothing.
   *
   * @param thread see {@link SpanEvents#threadKey}
   * @param start first nanosecond
   * @param end nanosecond after the last
   */
  void add(long thread, long start, long end, long traceIdHigh, long traceIdLow, long spanId) {
    if (end > start && spanId != 0 && (traceIdHigh | traceIdLow) != 0) {
      of(thread).intervals.add(start, end, traceIdHigh, traceIdLow, spanId);
    }
  }

  /** Says that a span is current from now on; without ids, that none is. */
  void mark(long thread, long time, long traceIdHigh, long traceIdLow, long spanId) {
    of(thread).marks.add(time, Long.MAX_VALUE, traceIdHigh, traceIdLow, spanId);
  }

  /** Adds what another one has, which must not be sealed. */
  void addAll(SpanIntervals other) {
    other.threads.forEach(
        (thread, theirs) -> {
          of(thread).intervals.addAll(theirs.intervals);
          of(thread).marks.addAll(theirs.marks);
        });
  }

  boolean isEmpty() {
    return threads.isEmpty();
  }

  /** Ends the adding. */
  void seal() {
    threads.values().forEach(OfThread::seal);
  }

  /** The link to the span that was current on a thread at a moment; 0 when none was. */
  int link(long thread, long time, LinkTable links) {
    OfThread found = threads.get(thread);
    int interval = found == null ? -1 : found.find(time);
    if (found == null || interval < 0) {
      return 0;
    }
    long[] ids = found.intervals.ids;
    return links.intern(ids[interval * 3], ids[interval * 3 + 1], ids[interval * 3 + 2]);
  }

  /** Whether one span, or none, was current on a thread from one moment to another. */
  boolean staySame(long thread, long from, long to) {
    OfThread found = threads.get(thread);
    return found == null || found.place(from) == found.place(to);
  }

  private OfThread of(long thread) {
    return threads.computeIfAbsent(thread, id -> new OfThread());
  }

  /** Intervals in columns. */
  private static final class Intervals {
    private long[] bounds = new long[16];
    private long[] ids = new long[24];
    private int count;

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

    void addAll(Intervals other) {
      for (int i = 0; i < other.count; i++) {
        add(other, i, other.end(i));
      }
    }

    void add(Intervals other, int i, long end) {
      add(other.start(i), end, other.ids[i * 3], other.ids[i * 3 + 1], other.ids[i * 3 + 2]);
    }

    long start(int i) {
      return bounds[i * 2];
    }

    long end(int i) {
      return bounds[i * 2 + 1];
    }

    boolean hasIds(int i) {
      return ids[i * 3 + 2] != 0 && (ids[i * 3] | ids[i * 3 + 1]) != 0;
    }

    Integer[] order(Comparator<Integer> comparator) {
      Integer[] order = new Integer[count];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, comparator);
      return order;
    }
  }

  /** What is known of one thread. */
  private static final class OfThread {
    private final Intervals intervals = new Intervals();
    private final Intervals marks = new Intervals();

    /** Moments at which the innermost interval changes, and which one it is from then on. */
    private long[] changes = {};

    private int[] innermost = {};

    void seal() {
      Integer[] byTime = marks.order(Comparator.comparingLong(marks::start));
      for (int i = 0; i < byTime.length; i++) {
        int mark = byTime[i];
        long end = i + 1 < byTime.length ? marks.start(byTime[i + 1]) : Long.MAX_VALUE;
        if (marks.hasIds(mark) && end > marks.start(mark)) {
          intervals.add(marks, mark, end);
        }
      }
      sweep();
    }

    /** Passes over starts and ends with the open intervals on a heap, the innermost on top. */
    private void sweep() {
      Integer[] order =
          intervals.order(
              Comparator.<Integer>comparingLong(intervals::start)
                  .thenComparing(Comparator.<Integer>comparingLong(intervals::end).reversed())
                  .thenComparing(Comparator.reverseOrder()));
      PriorityQueue<Integer> open = new PriorityQueue<>(Comparator.reverseOrder());
      changes = new long[order.length * 2];
      innermost = new int[order.length * 2];
      int size = 0;
      int next = 0;
      while (next < order.length || !open.isEmpty()) {
        long end = open.isEmpty() ? Long.MAX_VALUE : intervals.end(order[open.peek()]);
        long start = next < order.length ? intervals.start(order[next]) : Long.MAX_VALUE;
        if (start < end) {
          open.add(next++);
          size = change(size, start, order[open.peek()]);
        } else {
          while (!open.isEmpty() && intervals.end(order[open.peek()]) <= end) {
            open.remove();
          }
          size = change(size, end, open.isEmpty() ? -1 : order[open.peek()]);
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
      int last = place(time);
      return last < 0 ? -1 : innermost[last];
    }

    /** The last change up to a moment; -1 before the first. */
    private int place(long time) {
      int at = Arrays.binarySearch(changes, time);
      return at >= 0 ? at : -at - 2;
    }
  }
}
