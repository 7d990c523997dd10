/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.store.SampleOwner;
import dev.sennit.store.SpanKey;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which request a thread served, and when: what was sampled on it meanwhile belongs to that
 * request. Where a thread had two at a time, nobody can tell from outside which of them it worked
 * for.
 */
final class ServedRequests implements SampleOwner {
  private static final int MOST = 200_000;

  /** Samples come a piece of a recording later, which holds a minute as a rule. */
  private static final long KEPT = TimeUnit.MINUTES.toNanos(3);

  private record ThreadKey(long pid, long tid) {}

  private static final class Served {
    final ThreadKey thread;
    final TraceIds ids;
    final long begin;
    final long end;
    boolean shared;

    Served(ThreadKey thread, TraceIds ids, long begin, long end) {
      this.thread = thread;
      this.ids = ids;
      this.begin = begin;
      this.end = end;
    }
  }

  /** By their beginnings. */
  private final Map<ThreadKey, NavigableMap<Long, Served>> threads = new HashMap<>();

  /** In the order in which they were answered. */
  private final Deque<Served> all = new ArrayDeque<>();

  private final TraceNames names;

  ServedRequests(TraceNames names) {
    this.names = names;
  }

  /** A thread read a request and answered it; times are nanoseconds since 1970. */
  synchronized void served(int pid, int tid, TraceIds ids, long begin, long end) {
    Served served = new Served(new ThreadKey(pid, tid), ids, begin, end);
    NavigableMap<Long, Served> requests =
        threads.computeIfAbsent(served.thread, key -> new TreeMap<>());
    for (Served other : requests.headMap(end, false).descendingMap().values()) {
      if (other.end <= begin) {
        break;
      }
      other.shared = true;
      served.shared = true;
    }
    @Nullable Served same = requests.put(begin, served);
    if (same != null) {
      served.shared = true;
    }
    all.addLast(served);
    while (all.size() > MOST || all.getFirst().end < end - KEPT) {
      forget(all.removeFirst());
    }
  }

  private void forget(Served served) {
    @Nullable NavigableMap<Long, Served> requests = threads.get(served.thread);
    if (requests != null && requests.remove(served.begin, served) && requests.isEmpty()) {
      threads.remove(served.thread);
    }
  }

  @Override
  public synchronized @Nullable SpanKey ownerOf(long pid, long threadId, long timeUnixNanos) {
    @Nullable NavigableMap<Long, Served> requests = threads.get(new ThreadKey(pid, threadId));
    Map.@Nullable Entry<Long, Served> last =
        requests == null ? null : requests.floorEntry(timeUnixNanos);
    if (last == null || last.getValue().shared || last.getValue().end <= timeUnixNanos) {
      return null;
    }
    TraceIds ids = last.getValue().ids;
    return new SpanKey(names.nameOf(ids.traceId()), HexFormat.of().toHexDigits(ids.spanId()));
  }
}
