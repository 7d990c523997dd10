/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.Proc;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who the threads of a process are: their tids in our PID namespace and their names, by the tids
 * that stand in the records. Each thread is looked up once and forgotten when it leaves the
 * records.
 */
final class ThreadDirectory {
  /** More are forgotten all at once; no process has so many threads. */
  private static final int MAX_THREADS = 1 << 17;

  /**
   * A thread.
   *
   * @param name empty when the thread is gone
   */
  record Known(int tid, String name) {}

  private final int pid;
  private final boolean nested;
  private final Map<Integer, Known> threads = new HashMap<>();
  private @Nullable Map<Integer, Integer> outerByInner;

  private ThreadDirectory(int pid, boolean nested) {
    this.pid = pid;
    this.nested = nested;
  }

  /** For records that hold tids of our namespace. */
  static ThreadDirectory byOuterTid(int pid) {
    return new ThreadDirectory(pid, false);
  }

  /**
   * For records into which threads wrote the tids that they call themselves by: those of the
   * innermost PID namespace, the process's own.
   */
  static ThreadDirectory byInnerTid(int pid) {
    // NSpid has a number for each level from our namespace down to the process's own.
    return new ThreadDirectory(pid, Proc.statusField(pid, pid, "NSpid").split("\\s+").length > 1);
  }

  /** Starts a refresh, in which the threads are listed at most once. */
  void refresh() {
    outerByInner = null;
  }

  /**
   * The thread that stands in the records as {@code tid}; null when it is gone from a namespace.
   */
  @Nullable Known find(int tid) {
    @Nullable Known known = threads.get(tid);
    if (known != null) {
      return known;
    }
    @Nullable Integer outer = nested ? listing().get(tid) : Integer.valueOf(tid);
    if (outer == null) {
      return null;
    }
    Known found = new Known(outer, Proc.threadName(pid, outer));
    if (threads.size() >= MAX_THREADS) {
      threads.clear();
    }
    threads.put(tid, found);
    return found;
  }

  /** How the thread that we call {@code tid} stands in the records. */
  int recorded(int tid) {
    return nested ? Proc.innermostTid(pid, tid) : tid;
  }

  /** Forgets the threads that are not among the first {@code count} of {@code tids}, sorted. */
  void retain(int[] tids, int count) {
    threads.keySet().removeIf(tid -> Arrays.binarySearch(tids, 0, count, tid) < 0);
  }

  /** Forgets a thread that has left the records. */
  void forget(int tid) {
    threads.remove(tid);
  }

  private Map<Integer, Integer> listing() {
    @Nullable Map<Integer, Integer> existing = outerByInner;
    if (existing != null) {
      return existing;
    }
    Map<Integer, Integer> listing = new HashMap<>();
    try {
      for (int outer : Proc.threads(pid)) {
        listing.put(Proc.innermostTid(pid, outer), outer);
      }
    } catch (IOException e) {
      // The process is gone: its threads stay unknown, and the next read of its memory says so.
      listing.clear();
    }
    outerByInner = listing;
    return listing;
  }
}
