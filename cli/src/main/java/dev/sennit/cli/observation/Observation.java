/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.KernelTracer;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.otlp.export.Exporter;
import dev.sennit.tracing.connection.Connections;
import dev.sennit.tracing.export.SpanBatches;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanCount;
import dev.sennit.tracing.span.SpanMaker;
import dev.sennit.tracing.stitch.Stitcher;
import dev.sennit.tracing.stitch.StitcherCounts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Observes processes: programs in the kernel, what becomes of their events, and the way out. The
 * reader of events and the timer take turns; nothing else touches what is between them.
 */
public final class Observation implements AutoCloseable {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Connections connections;
  private final SpanMaker maker;
  private final SpanBatches batches;
  private final KernelTraffic traffic;
  private final Stitcher stitcher;
  private final Consumer<Span> also;
  private final @Nullable Exporter exporter;
  private final Thread timer =
      Thread.ofPlatform().daemon().name("sennit-tick").unstarted(this::tickUntilClosed);
  private volatile @Nullable KernelTracer tracer;
  private volatile boolean closed;
  private volatile Map<Outcome, Long> lastKernelCounters = Map.of();

  private Observation(
      ObservationSettings settings, @Nullable Exporter exporter, Consumer<Span> also) {
    this.exporter = exporter;
    this.also = also;
    batches = new SpanBatches(this::export);
    stitcher = new Stitcher(settings.stitcher());
    HostProcesses processes = new HostProcesses();
    maker =
        new SpanMaker(
            settings.spans(),
            processes,
            new HostTime(),
            new SplittableRandom(),
            span -> stitcher.add(span, this::out));
    connections = new Connections(settings.protocols(), settings.limits(), maker);
    traffic = new KernelTraffic(connections, processes);
  }

  /**
   * Begins to observe.
   *
   * @param spans hears of every span that is made
   * @param log takes lines for people
   * @throws IOException if the kernel's programs cannot be loaded, or the queue not be opened
   */
  public static Observation start(
      ObservationSettings settings,
      List<Target> targets,
      Consumer<Span> spans,
      Consumer<String> log)
      throws IOException {
    Exporter exporter =
        settings.export().isPresent() ? Exporter.open(settings.export().get(), log) : null;
    Observation observation = new Observation(settings, exporter, spans);
    try {
      KernelTracer tracer = KernelTracer.load(settings.tracer(), targets, observation::onEvent);
      observation.tracer = tracer;
      if (settings.active()) {
        tracer.activate();
      }
    } catch (IOException | RuntimeException e) {
      observation.close();
      throw e;
    }
    observation.timer.start();
    return observation;
  }

  private synchronized void onEvent(KernelEvent event) {
    traffic.onEvent(event);
  }

  private void tickUntilClosed() {
    while (!closed) {
      LockSupport.parkNanos(TICK);
      tick();
    }
  }

  private synchronized void tick() {
    stitcher.advance(HostTime.now(), this::out);
    batches.flush();
  }

  private void out(Span span) {
    also.accept(span);
    batches.accept(span);
  }

  private void export(byte[] request) {
    if (exporter != null) {
      exporter.export(request);
    }
  }

  /** Switches the kernel's programs on, or off, in which case nobody pays for them. */
  public void setActive(boolean active) throws IOException {
    KernelTracer programs = tracer;
    if (programs == null) {
      return;
    }
    if (active) {
      programs.activate();
    } else {
      programs.deactivate();
    }
  }

  public boolean isActive() {
    KernelTracer programs = tracer;
    return programs != null && programs.isActive();
  }

  /** In a sentence, what works here and what does not. */
  public String describe() {
    KernelTracer programs = tracer;
    return programs == null ? "" : programs.describe();
  }

  public Map<Outcome, Long> kernelCounters() {
    KernelTracer programs = tracer;
    return programs == null ? lastKernelCounters : programs.counters();
  }

  public Map<SpanCount, Long> spanCounters() {
    return maker.counters().all();
  }

  public Map<Lost, Long> lostCounters() {
    return connections.lost().all();
  }

  public synchronized StitcherCounts stitcherCounters() {
    return stitcher.counts();
  }

  /** Spans that were handed to the exporter. */
  public long spans() {
    return batches.count();
  }

  /** Empty where nothing is exported. */
  public Optional<ExportCounters> exportCounters() {
    return exporter == null ? Optional.empty() : Optional.of(exporter.counters());
  }

  /** Ends the observation; what was seen goes out, or stays on disk if the collector is away. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    KernelTracer programs = tracer;
    if (programs != null) {
      programs.deactivate();
      lastKernelCounters = programs.counters();
      tracer = null;
      programs.close();
    }
    synchronized (this) {
      stitcher.flush(this::out);
      batches.flush();
    }
    if (exporter != null) {
      exporter.close(LAST_WORDS);
    }
  }
}
