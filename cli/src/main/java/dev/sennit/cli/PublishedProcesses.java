/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Proc;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.viewer.view.LiveProcess;
import dev.sennit.viewer.view.LiveProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The processes of this host that publish their context, for the page. Who publishes is searched
 * for every two seconds and a little at a time; in between only those are read that are known.
 */
final class PublishedProcesses implements LiveProcesses {
  private static final int MOST_PROCESSES = 200;
  private static final int MOST_THREADS = 2_000;
  private static final long SEARCH_EVERY = Duration.ofSeconds(2).toNanos();

  /** Of each look; the rest is searched with the next. */
  private static final long SEARCH_FOR = Duration.ofMillis(20).toNanos();

  private final ProcessContextReader reader = new ProcessContextReader();
  private final TreeMap<Integer, PublishedProcess> known = new TreeMap<>();
  private final Queue<Integer> toSearch = new ArrayDeque<>();
  private final Set<Integer> unreadable = new HashSet<>();
  private @Nullable Long searchedAt;
  private boolean tooMany;

  @Override
  public Snapshot snapshot() {
    search(System.nanoTime());
    boolean more = tooMany;
    int room = MOST_THREADS;
    List<LiveProcess> processes = new ArrayList<>();
    stopOne();
    for (Iterator<PublishedProcess> each = known.values().iterator(); each.hasNext(); ) {
      PublishedProcess process = each.next();
      @Nullable LiveProcess read = process.read(room);
      if (read == null) {
        process.close();
        each.remove();
      } else {
        processes.add(read);
        room -= read.threads().size();
        more |= read.threads().size() < read.threadsInSpans();
      }
    }
    return new Snapshot(processes, more, unreadable.size());
  }

  /** One process at most has its threads stopped in each look: the one that was not for longest. */
  private void stopOne() {
    @Nullable PublishedProcess longest = null;
    for (PublishedProcess process : known.values()) {
      if (process.isToBeStopped()
          && (longest == null || process.stoppedAt() < longest.stoppedAt())) {
        longest = process;
      }
    }
    if (longest != null) {
      longest.stop();
    }
  }

  private void search(long now) {
    if (toSearch.isEmpty() && (searchedAt == null || now - searchedAt >= SEARCH_EVERY)) {
      begin(now);
    }
    while (!toSearch.isEmpty()) {
      look(toSearch.remove());
      if (System.nanoTime() - now > SEARCH_FOR) {
        return;
      }
    }
  }

  private void begin(long now) {
    searchedAt = now;
    tooMany = false;
    try {
      Set<Integer> running = new HashSet<>();
      for (int pid : Proc.processes()) {
        running.add(pid);
        toSearch.add(pid);
      }
      unreadable.retainAll(running);
      List.copyOf(known.keySet()).stream()
          .filter(pid -> !running.contains(pid))
          .forEach(this::forget);
    } catch (IOException e) {
      // Without a list there is nothing to search; those that are known still tell of themselves.
      toSearch.clear();
    }
  }

  private void look(int pid) {
    @Nullable PublishedProcess process = known.get(pid);
    switch (reader.read(pid)) {
      case ProcessReading.Published published -> {
        unreadable.remove(pid);
        if (process != null) {
          process.update(published);
        } else if (known.size() < MOST_PROCESSES) {
          known.put(pid, new PublishedProcess(pid, published));
        } else {
          tooMany = true;
        }
      }
      case ProcessReading.Unreadable(String reason) -> {
        forget(pid);
        if (Pids.isRunning(pid)) {
          unreadable.add(pid);
        }
      }
      case ProcessReading.NotPublished() -> forget(pid);
      case ProcessReading.Malformed(String reason) -> forget(pid);
    }
  }

  private void forget(int pid) {
    unreadable.remove(pid);
    @Nullable PublishedProcess process = known.remove(pid);
    if (process != null) {
      process.close();
    }
  }

  @Override
  public void rest() {
    known.values().forEach(PublishedProcess::close);
    known.clear();
    toSearch.clear();
    unreadable.clear();
    searchedAt = null;
  }
}
