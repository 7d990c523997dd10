/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecordReader;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one process again and again, until it ends or the user has seen enough. The
 * process record is looked at once a second; the threads ten times, unless they must be stopped for
 * it.
 */
final class ContextWatch {
  private static final Duration PROCESS_PERIOD = Duration.ofSeconds(1);
  private static final Duration THREAD_PERIOD = Duration.ofMillis(100);

  private final int pid;
  private final boolean withThreads;
  private final ProcessContextReader reader;
  private final ContextView view;
  private final PrintWriter err;

  private ProcessReading process = new ProcessReading.NotPublished();
  private long processReadAt;
  private @Nullable ThreadRecordReader threads;

  ContextWatch(
      int pid,
      boolean withThreads,
      ProcessContextReader reader,
      ContextView view,
      PrintWriter err) {
    this.pid = pid;
    this.withThreads = withThreads;
    this.reader = reader;
    this.view = view;
    this.err = err;
  }

  /** Watches; returns the exit status. */
  int run() {
    readProcess();
    ContextReport first = new ContextReport(pid, process, null);
    if (first.problem() != null) {
      err.println(Printable.of("sennit: " + first.problem()));
      return first.status();
    }
    boolean ended;
    try (Interruption interruption = Interruption.listen()) {
      try (view) {
        ended = watchUntil(interruption);
      } finally {
        closeThreads();
      }
      if (ended) {
        err.println("sennit: process " + pid + " ended");
      }
      err.flush();
    }
    return 0;
  }

  /** Returns whether the process ended, rather than the interest in it. */
  private boolean watchUntil(Interruption interruption) {
    while (true) {
      ContextReport report = new ContextReport(pid, process, readThreads());
      if (!Pids.isRunning(pid)) {
        return true;
      }
      if (!view.show(report) || interruption.comesWithin(period())) {
        return false;
      }
      if (System.nanoTime() - processReadAt >= PROCESS_PERIOD.toNanos()) {
        readProcess();
      }
    }
  }

  private Duration period() {
    ThreadRecordReader open = threads;
    return open == null || open.stopsThreads() ? PROCESS_PERIOD : THREAD_PERIOD;
  }

  private void readProcess() {
    process = reader.read(pid);
    processReadAt = System.nanoTime();
    if (!withThreads) {
      return;
    }
    if (!(process instanceof ProcessReading.Published published)) {
      closeThreads();
    } else if (threads == null) {
      threads = ThreadRecordReader.open(pid, published.context());
    } else {
      threads.update(published.context());
    }
  }

  private @Nullable ThreadReading readThreads() {
    ThreadRecordReader open = threads;
    return open == null ? null : open.read();
  }

  private void closeThreads() {
    ThreadRecordReader open = threads;
    threads = null;
    if (open != null) {
      open.close();
    }
  }
}
