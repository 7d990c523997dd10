/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.kernel.ring.Way;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cgroup of a test's own, what runs in it, and what the programs tell of that. */
final class Observation implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private final Cgroup cgroup;
  private final KernelTracer tracer;
  private final List<ChildProcess> children = new ArrayList<>();
  private final List<Seen> events = Collections.synchronizedList(new ArrayList<>());

  /** What a test may want to know of an event. */
  record Seen(
      EventKind kind,
      Way way,
      int pid,
      int tid,
      int fd,
      long connection,
      int size,
      String payload,
      boolean hasContext,
      boolean hasParent,
      String traceparent,
      String parentId,
      Outcome outcome,
      Outcome parentSource,
      int result,
      int localPort,
      int remotePort,
      String remoteAddress,
      String threadName) {
    static Seen of(KernelEvent event) {
      return new Seen(
          event.kind(),
          event.way(),
          event.pid(),
          event.tid(),
          event.fd(),
          event.connection(),
          event.size(),
          new String(event.payload(), StandardCharsets.ISO_8859_1),
          event.hasContext(),
          event.hasParent(),
          event.traceparent(),
          HexFormat.of().formatHex(event.parentId()),
          event.outcome(),
          event.parentSource(),
          event.result(),
          event.local().getPort(),
          event.remote().getPort(),
          event.remote().getAddress().getHostAddress(),
          event.threadName());
    }
  }

  private Observation(Cgroup cgroup, TracerSettings settings, @Nullable InboundMap inbound)
      throws IOException {
    this.cgroup = cgroup;
    List<Target> targets = List.of(new Target.OfCgroup(cgroup));
    EventConsumer consumer = event -> events.add(Seen.of(event));
    tracer =
        inbound == null
            ? KernelTracer.start(settings, targets, consumer)
            : KernelTracer.start(settings, targets, consumer, inbound);
  }

  static Observation start(TracerSettings settings) {
    return start(settings, null);
  }

  static Observation start(TracerSettings settings, @Nullable InboundMap inbound) {
    try {
      Cgroup cgroup =
          Cgroup.root()
              .orElseThrow()
              .create(
                  "sennit-test-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
      try {
        return new Observation(cgroup, settings, inbound);
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

  Target target() {
    return new Target.OfCgroup(cgroup);
  }

  KernelTracer tracer() {
    return tracer;
  }

  long count(Outcome outcome) {
    return tracer.counters().getOrDefault(outcome, 0L);
  }

  List<Seen> events() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }

  List<Seen> events(EventKind kind) {
    return events().stream().filter(event -> event.kind() == kind).toList();
  }

  /** Waits until an event has come that the test waits for. */
  Seen await(Predicate<Seen> wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (System.nanoTime() < end) {
      for (Seen event : events()) {
        if (wanted.test(event)) {
          return event;
        }
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    throw new AssertionError("no such event among " + events().size());
  }

  @Override
  public void close() throws IOException {
    children.forEach(ChildProcess::close);
    tracer.close();
    long end = System.nanoTime() + PATIENCE;
    while (!cgroup.processes().isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    cgroup.remove();
  }
}
