/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the processes once for all who listen, and remembers since when each thread was seen in
 * its span.
 */
final class SharedProcesses {
  private final LiveProcesses processes;
  private final Clock clock;
  private Map<Where, Since> spans = new HashMap<>();
  private @Nullable TimedSnapshot last;
  private long takenAt;
  private int listeners;

  private record Where(long pid, long tid) {}

  private record Since(String traceId, String spanId, long millis) {}

  SharedProcesses(LiveProcesses processes, Clock clock) {
    this.processes = processes;
    this.clock = clock;
  }

  synchronized void enter() {
    listeners++;
  }

  /** The last one that leaves lets everything rest. */
  synchronized void leave() {
    listeners--;
    if (listeners == 0) {
      last = null;
      spans = new HashMap<>();
      processes.rest();
    }
  }

  /** One that is not older than a period. */
  synchronized TimedSnapshot snapshot() {
    TimedSnapshot known = last;
    // A little less than the period, or who comes a moment too early would get an old one.
    if (known != null
        && System.nanoTime() - takenAt < LiveProcessesView.PERIOD.toNanos() * 9 / 10) {
      return known;
    }
    TimedSnapshot taken = time(processes.snapshot());
    takenAt = System.nanoTime();
    last = taken;
    return taken;
  }

  private TimedSnapshot time(LiveProcesses.Snapshot snapshot) {
    long now = clock.millis();
    Map<Where, Since> still = new HashMap<>();
    List<TimedSnapshot.Threads> threads =
        snapshot.processes().stream()
            .map(
                process ->
                    new TimedSnapshot.Threads(
                        process.pid(),
                        process.threadsInSpans(),
                        process.otherThreads(),
                        process.problem(),
                        process.threads().stream()
                            .map(
                                thread ->
                                    new TimedSnapshot.Timed(
                                        thread, since(process, thread, now, still)))
                            .toList()))
            .toList();
    spans = still;
    return new TimedSnapshot(now, snapshot, threads);
  }

  private long since(LiveProcess process, LiveThread thread, long now, Map<Where, Since> still) {
    Where where = new Where(process.pid(), thread.tid());
    @Nullable Since before = spans.get(where);
    Since since =
        before != null
                && before.traceId.equals(thread.traceId())
                && before.spanId.equals(thread.spanId())
            ? before
            : new Since(thread.traceId(), thread.spanId(), now);
    still.put(where, since);
    return since.millis;
  }
}
