/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.engine.ThreadNames;
import dev.sennit.correlation.record.NativeName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Which thread of a process was called how, and when: now, and until a moment ago. */
final class NamesInProcess {
  private static final long KEPT = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_ENDED = 8192;

  /** As many threads a process has only where their ends were lost; then it begins anew. */
  private static final int MOST_THREADS = 1 << 16;

  private static final class Name {
    final NativeName name;
    final int tid;
    final long since;
    long until = Long.MAX_VALUE;

    Name(NativeName name, int tid, long since) {
      this.name = name;
      this.tid = tid;
      this.since = since;
    }
  }

  private final Map<Integer, Name> byThread = new HashMap<>();
  private final Map<NativeName, List<Name>> byName = new HashMap<>();
  private final ArrayDeque<Name> ended = new ArrayDeque<>();

  /**
   * A thread has got a name.
   *
   * @param name {@link NativeName#NONE} if it has ended
   */
  void named(int tid, NativeName name, long time) {
    Name before = byThread.remove(tid);
    if (before != null) {
      before.until = time;
      ended.add(before);
    }
    while (ended.size() > MOST_ENDED || (!ended.isEmpty() && ended.peek().until < time - KEPT)) {
      forget(ended.remove());
    }
    if (!name.equals(NativeName.NONE)) {
      add(new Name(name, tid, time));
    }
  }

  /** A thread has a name of which it is not known since when. */
  void has(int tid, NativeName name) {
    if (!byThread.containsKey(tid)) {
      add(new Name(name, tid, Long.MIN_VALUE));
    }
  }

  private void add(Name name) {
    if (byThread.size() >= MOST_THREADS) {
      byThread.clear();
      byName.clear();
      ended.clear();
    }
    byThread.put(name.tid, name);
    byName.computeIfAbsent(name.name, _ -> new ArrayList<>(1)).add(name);
  }

  private void forget(Name name) {
    List<Name> same = byName.get(name.name);
    if (same != null && same.remove(name) && same.isEmpty()) {
      byName.remove(name.name);
    }
  }

  /** As {@link ThreadNames#tidOf}. */
  int tidOf(NativeName name, long time) {
    int tid = ThreadNames.NONE;
    for (Name each : byName.getOrDefault(name, List.of())) {
      if (each.since <= time && time < each.until) {
        if (tid != ThreadNames.NONE) {
          return ThreadNames.SEVERAL;
        }
        tid = each.tid;
      }
    }
    return tid;
  }
}
