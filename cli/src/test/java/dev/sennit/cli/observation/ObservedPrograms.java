/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.record.LogRecord;
import dev.sennit.kernel.Cgroup;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.testing.ChildProcess;
import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A cgroup of a test's own, the programs that run in it, and the spans that are made of them. */
final class ObservedPrograms implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final Cgroup cgroup;
  private final Observation observation;
  private final List<ChildProcess> children = new ArrayList<>();
  private final List<Span> spans = Collections.synchronizedList(new ArrayList<>());
  private final List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());

  private ObservedPrograms(Cgroup cgroup, TracerSettings settings, SpanSettings spanSettings)
      throws IOException {
    this.cgroup = cgroup;
    observation =
        Observation.start(
            new ObservationSettings(
                settings,
                HookUse.REQUIRED,
                true,
                Protocols.NAMES,
                false,
                ConnectionLimits.DEFAULT,
                spanSettings,
                Optional.of(StitcherSettings.defaults()),
                Optional.empty(),
                Optional.of(LogSettings.defaults()),
                Optional.empty()),
            List.of(new Target.OfCgroup(cgroup)),
            new ObservationListener() {
              @Override
              public void onSpan(Span span) {
                spans.add(span);
              }

              @Override
              public void onRecord(LogRecord record) {
                records.add(record);
              }
            },
            line -> {});
  }

  static ObservedPrograms start(TracerSettings settings) {
    return start(settings, SpanSettings.DEFAULT);
  }

  static ObservedPrograms start(TracerSettings settings, SpanSettings spanSettings) {
    try {
      Cgroup cgroup =
          Cgroup.root()
              .orElseThrow()
              .create(
                  "sennit-spans-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
      try {
        return new ObservedPrograms(cgroup, settings, spanSettings);
      } catch (IOException | RuntimeException e) {
        cgroup.remove();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a program inside. */
  ChildProcess run(List<String> command) {
    ChildProcess child = ChildProcess.start(cgroup.command(command));
    children.add(child);
    return child;
  }

  /** Starts a server inside, which says where it listens. */
  int serve(List<String> command) {
    return Integer.parseInt(run(command).expect("port ").strip());
  }

  Observation observation() {
    return observation;
  }

  List<Span> spans() {
    synchronized (spans) {
      return List.copyOf(spans);
    }
  }

  List<LogRecord> records() {
    synchronized (records) {
      return List.copyOf(records);
    }
  }

  /** Waits until so many spans have come that a test looks for. */
  List<Span> await(int count, Predicate<Span> wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (true) {
      List<Span> found = spans().stream().filter(wanted).toList();
      if (found.size() >= count) {
        return found;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(
            found.size()
                + " of "
                + count
                + " spans; counted: "
                + observation.spanCounters()
                + ", not understood: "
                + observation.lostCounters());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Waits until so many lines have come that a test looks for. */
  List<LogRecord> awaitRecords(int count, Predicate<LogRecord> wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (true) {
      List<LogRecord> found = records().stream().filter(wanted).toList();
      if (found.size() >= count) {
        return found;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(
            found.size() + " of " + count + " lines; counted: " + observation.logCounters());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Override
  public void close() throws IOException {
    children.forEach(ChildProcess::close);
    observation.close();
    long end = System.nanoTime() + PATIENCE;
    while (!cgroup.processes().isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    cgroup.remove();
  }
}
