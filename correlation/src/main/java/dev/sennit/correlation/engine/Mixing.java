/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.line.Line;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Processes whose threads were seen to write each other's lines: one that names another thread than
 * its writer, or two that were written at once and name two. That several were written at once says
 * nothing else, for a message may have several.
 */
final class Mixing {
  private static final int MOST_WRITERS = 1024;

  private record Writer(int pid, int tid) {}

  private record Named(long time, String thread) {}

  private final Set<Integer> processes = new HashSet<>();
  private final Map<Writer, Named> last =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Writer, Named> eldest) {
          return size() > MOST_WRITERS;
        }
      };

  boolean contains(int pid) {
    return processes.contains(pid);
  }

  void add(int pid) {
    processes.add(pid);
  }

  /** A thread has written this line together with others; it names this one as its own. */
  void wroteSeveral(Line line, String thread) {
    @Nullable Named before =
        last.put(new Writer(line.pid(), line.tid()), new Named(line.time(), thread));
    if (before != null && before.time == line.time() && !before.thread.equals(thread)) {
      add(line.pid());
    }
  }

  void processEnded(int pid) {
    processes.remove(pid);
    last.keySet().removeIf(writer -> writer.pid == pid);
  }
}
