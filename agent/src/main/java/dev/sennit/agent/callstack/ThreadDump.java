/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All threads of this JVM at one instant, each with the span it was in.
 *
 * @param unixNanos the instant
 * @param stacks in the order of their numbers
 * @param depth how many frames of a stack the JVM shows; 0 if it is all of them
 */
record ThreadDump(long unixNanos, List<Entry> stacks, int depth) {
  private static final Comparator<Entry> BY_NUMBER =
      Comparator.<Entry>comparingLong(
              entry -> entry.thread.number() == 0 ? Long.MAX_VALUE : entry.thread.number())
          .thenComparingInt(entry -> entry.thread.nid());

  /** A thread and its span. */
  record Entry(ThreadStack thread, SpanIds span) {}

  /** Whether there may be more of a stack; virtual threads that wait are shown whole. */
  boolean isCut(ThreadStack thread) {
    return depth > 0 && thread.kind() != Kind.PARKED && thread.frames().size() >= depth;
  }

  /** What takes dumps. Not for several threads at a time. */
  static final class Taker {
    private final ThreadPrint print;
    private final LiveThreads live;
    private final SpansAtDump spans;
    private final ThreadFilter filter;
    private final boolean withParked;
    private int depth;
    private boolean depthKnown;

    Taker(ThreadPrint print, SpansAtDump spans, CallStackSettings settings) {
      this.print = print;
      this.live = new LiveThreads();
      this.spans = spans;
      this.filter = new ThreadFilter(settings);
      this.withParked = settings.parkedVirtualThreads();
    }

    ContextChanges changes() {
      return spans.changes();
    }

    boolean knowsVirtualThreads() {
      return live.knowsVirtualThreads();
    }

    /**
     * Takes a dump.
     *
     * @throws Throwable if the JVM gives none
     */
    ThreadDump take() throws Throwable {
      if (!depthKnown) {
        depth = print.depth();
        depthKnown = true;
      }
      List<Entry> entries = new ArrayList<>();
      List<ThreadStack> threads;
      Set<Long> carriers;
      DumpClock clock = new DumpClock(spans.safepoints());
      spans.begin();
      try {
        clock.begin();
        String text = print.dump();
        clock.end();
        spans.dumped();
        List<Thread> platformThreads = LiveThreads.platformThreads();
        threads = ThreadDumpParser.parse(DumpNames.protect(text, platformThreads));
        carriers = LiveThreads.carriers(platformThreads);
        for (ThreadStack thread : threads) {
          boolean inSpan = thread.nid() != 0 && thread.kind() != Kind.CARRIER;
          entries.add(new Entry(thread, inSpan ? spans.of(thread) : SpanIds.NONE));
        }
      } finally {
        spans.end();
      }
      if (withParked) {
        Set<Long> seen =
            threads.stream()
                .map(ThreadStack::number)
                .collect(Collectors.toCollection(HashSet::new));
        live.parked(seen).forEach(thread -> entries.add(new Entry(thread, SpanIds.NONE)));
      }
      return new ThreadDump(
          clock.unixNanos(),
          named(entries).stream()
              .filter(entry -> filter.accepts(entry.thread, carriers))
              .sorted(BY_NUMBER)
              .toList(),
          depth);
    }

    /** Gives virtual threads, of which a dump has the number alone, their names. */
    private List<Entry> named(List<Entry> entries) {
      Set<Long> nameless =
          entries.stream()
              .filter(entry -> entry.thread.kind() == Kind.MOUNTED)
              .map(entry -> entry.thread.number())
              .collect(Collectors.toSet());
      if (nameless.isEmpty()) {
        return entries;
      }
      Map<Long, String> names = live.virtualThreadNames(nameless);
      return entries.stream()
          .map(
              entry ->
                  entry.thread.kind() == Kind.MOUNTED
                      ? new Entry(
                          entry.thread.withName(names.getOrDefault(entry.thread.number(), "")),
                          entry.span)
                      : entry)
          .toList();
    }
  }
}
