/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.viewer.web.Events;
import dev.sennit.viewer.web.LiveView;
import dev.sennit.viewer.web.Query;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which thread is in which span, ten times a second. Who the processes are goes out only when that
 * changes, and so do the threads of each.
 */
final class LiveProcessesView implements LiveView {
  static final Duration PERIOD = Duration.ofMillis(100);

  private final SharedProcesses processes;

  LiveProcessesView(SharedProcesses processes) {
    this.processes = processes;
  }

  @Override
  public String path() {
    return "processes";
  }

  @Override
  public void run(Query query, Events events) throws IOException, InterruptedException {
    processes.enter();
    try {
      @Nullable TimedSnapshot before = null;
      while (true) {
        TimedSnapshot now = processes.snapshot();
        if (before == null || !now.isOfSameProcesses(before)) {
          events.send("processes", now::writeProcesses);
        }
        List<TimedSnapshot.Threads> changed = now.changedSince(before);
        if (before == null || !changed.isEmpty()) {
          events.send("threads", out -> now.writeThreads(changed, out));
        }
        before = now;
        events.pause(PERIOD);
      }
    } finally {
      processes.leave();
    }
  }
}
