/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.AgentLog;
import dev.sennit.context.thread.ContextObserver;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes a dump at every tick of a fixed rate and hands it to the exporter. Ticks that pass while a
 * dump is taken are left out, so that dumps never queue up.
 */
final class SampleLoop implements AutoCloseable {
  private static final String THREAD_NAME = "sennit-call-stacks";

  /** How long an ending JVM waits for a collector that takes what is sent. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final long intervalNanos;
  private final ThreadDump.Taker taker;
  private final CallStackLogs logs;
  private final Exporter exporter;
  private final String destination;
  private final Thread thread;
  private final AtomicLong dumps = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean closed;

  private SampleLoop(CallStackSettings settings, ThreadDump.Taker taker, Exporter exporter) {
    this.intervalNanos = settings.interval().toNanos();
    this.taker = taker;
    this.logs = new CallStackLogs(settings);
    this.exporter = exporter;
    this.destination = settings.export().toString();
    this.thread =
        Thread.ofPlatform()
            .name(THREAD_NAME)
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(this::run);
    thread.setContextClassLoader(null);
  }

  static SampleLoop start(CallStackSettings settings) throws IOException {
    SpansAtDump spans = SpansAtDump.open();
    ThreadDump.Taker taker = new ThreadDump.Taker(ThreadPrint.open(), spans, settings);
    if (settings.parkedVirtualThreads() && !taker.knowsVirtualThreads()) {
      AgentLog.warn("parked virtual threads are not in call stacks: this JDK does not show them");
    }
    SampleLoop loop = new SampleLoop(settings, taker, exporter(settings));
    loop.thread.start();
    return loop;
  }

  private static Exporter exporter(CallStackSettings settings) throws IOException {
    ExportSettings export = settings.export();
    return settings.throughSdk()
        ? Exporter.open(
            export, own -> SdkSender.of(own, export, AgentLog::detail), AgentLog::detail)
        : Exporter.open(export, AgentLog::detail);
  }

  private void run() {
    long next = System.nanoTime();
    while (!closed) {
      sample();
      long now = System.nanoTime();
      long passed = Math.max(0, (now - next) / intervalNanos);
      skipped.addAndGet(passed);
      next += (passed + 1) * intervalNanos;
      while (!closed && next - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, next - System.nanoTime());
        // Some applications interrupt every thread they find; while that is so, nothing waits.
        Thread.interrupted();
      }
    }
  }

  private void sample() {
    try {
      logs.write(taker.take(), exporter::export);
      dumps.incrementAndGet();
    } catch (Throwable t) {
      if (failed.getAndIncrement() == 0) {
        AgentLog.warn("a dump of call stacks failed; later failures are counted only", t);
      }
    }
  }

  ContextObserver observing(@Nullable ContextObserver other) {
    ContextChanges changes = taker.changes();
    return other == null ? changes : changes.alongside(other);
  }

  String status() {
    ExportCounters counters = exporter.counters();
    return "call stacks: "
        + dumps
        + " dumps, "
        + failed
        + " failed, "
        + skipped
        + " ticks left out, "
        + destination
        + ": "
        + counters.sent()
        + " sent, "
        + counters.queued()
        + " waiting, "
        + counters.droppedInAll()
        + " dropped"
        + counters.lastError().map(error -> ", last error: " + error).orElse("");
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exporter.close(LAST_WORDS);
  }
}
