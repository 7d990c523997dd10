/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.context.memory.Libc;
import dev.sennit.correlation.engine.Correlated;
import dev.sennit.correlation.export.LogRequest;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.Batches;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.tracing.connection.Connections;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.export.SpanRequest;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.span.RequestListener;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanCount;
import dev.sennit.tracing.span.SpanMaker;
import dev.sennit.tracing.stitch.StitcherCounts;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.TraceIds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Observes processes: programs in the kernel, what becomes of their events, and the way out. The
 * reader of events and the timer take turns; nothing else touches what is between them.
 */
public final class Observation implements AutoCloseable {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int LOOK = 64;

  private final Connections connections;
  private final OwnReceivers receivers;
  private final ProtocolFilter filter;
  private final SpanMaker maker;
  private final Stitching stitching;
  private final Batches<Span> batches;
  private final KernelTraffic traffic;
  private final Outlet outlet;
  private final Logs logs;
  private final RecordNames names;
  private final Batches<LogRecord> logBatches;
  private final Outlet logOutlet;
  private final Hook hook = new Hook(this::onEvent);
  private final Thread timer =
      Thread.ofPlatform().daemon().name("sennit-tick").unstarted(this::tickUntilClosed);

  /** What this process sends and writes is about others, and nothing is made of that. */
  private final int self = (int) ProcessHandle.current().pid();

  private volatile boolean closed;
  private boolean tracing;
  private int untilLook;
  private long lag;

  private Observation(
      ObservationSettings settings, ObservationListener listener, Consumer<String> log) {
    outlet = new Outlet(log);
    batches =
        new Batches<>(
            new SpanRequest()::of,
            request -> {
              outlet.export(request);
              listener.onSpans(request);
            });
    logOutlet = new Outlet(log);
    logBatches =
        new Batches<>(
            new LogRequest()::of,
            request -> {
              logOutlet.export(request);
              listener.onRecords(request);
            });
    names =
        new RecordNames(
            record -> {
              listener.onRecord(record);
              logBatches.accept(record);
            });
    stitching =
        new Stitching(
            span -> {
              listener.onSpan(span);
              batches.accept(span);
            },
            (high, low, newHigh, newLow) -> {
              names.named(high, low, newHigh, newLow);
              if (high != newHigh || low != newLow) {
                listener.onName(traceId(high, low), traceId(newHigh, newLow));
              }
            });
    HostProcesses processes = new HostProcesses();
    HostTime clock = new HostTime();
    maker = new SpanMaker(settings.spans(), processes, clock, new SplittableRandom(), stitching);
    logs = new Logs(processes, clock, names, logBatches::flush, log);
    maker.tell(
        new RequestListener() {
          @Override
          public void arrived(Exchange request, TraceIds ids, long time) {
            if (ids.parentId() == 0 && stitching.isOn()) {
              names.began(ids);
            }
            logs.arrived(request, ids, time);
          }

          @Override
          public void answered(Exchange request, TraceIds ids, long time) {
            logs.answered(request, ids, time);
            names.answered(ids, time);
            Piece begin = request.begin();
            if (begin.tid() == request.end().tid()) {
              listener.onServed(begin.pid(), begin.tid(), ids, clock.unixNanos(begin.time()), time);
            }
          }
        });
    receivers = new OwnReceivers(listener.receivers(), maker);
    filter = new ProtocolFilter(settings.protocols(), receivers);
    connections = new Connections(List.of(), settings.limits(), filter);
    traffic = new KernelTraffic(connections, processes);
  }

  private static String traceId(long high, long low) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  /**
   * Begins to observe.
   *
   * @param listener hears of all that is found
   * @param log takes lines for people
   * @throws IOException if the kernel's programs cannot be loaded, or the queue not be opened
   */
  public static Observation start(
      ObservationSettings settings,
      List<Target> targets,
      ObservationListener listener,
      Consumer<String> log)
      throws IOException {
    Observation observation = new Observation(settings, listener, log);
    try {
      observation.change(settings, targets);
    } catch (IOException | RuntimeException e) {
      observation.close();
      throw e;
    }
    observation.timer.start();
    return observation;
  }

  /**
   * Goes on by other settings and with other targets. What has been seen stays: requests that are
   * open now are followed to their end, and what waits to be sent goes where it was to go.
   *
   * @throws IOException if something cannot be opened or loaded; then what comes after it stays as
   *     it was
   */
  public void change(ObservationSettings settings, List<Target> targets) throws IOException {
    tick();
    outlet.change(settings.export());
    logOutlet.change(settings.logExport());
    follow(settings);
    hook.change(settings.hook(), settings.tracer(), targets, settings.active());
  }

  private synchronized void follow(ObservationSettings settings) throws IOException {
    tracing = !settings.protocols().isEmpty();
    filter.change(settings.protocols());
    connections.change(
        Protocols.named(settings.protocols(), settings.guessRoutes()), settings.limits());
    maker.change(settings.spans());
    stitching.change(settings.stitcher());
    logs.change(settings.logs());
  }

  private synchronized void onEvent(KernelEvent event) {
    if (--untilLook < 0) {
      untilLook = LOOK;
      lag = Math.max(0, Libc.clockNanos(Libc.CLOCK_MONOTONIC) - event.time());
    }
    if (event.pid() == self) {
      return;
    }
    if (event.kind() == EventKind.LOG) {
      if (!receivers.contains(event.pid())) {
        logs.onLine(event);
      }
    } else if (event.kind() == EventKind.NAMED) {
      logs.onName(event);
    } else if (tracing) {
      traffic.onEvent(event);
    }
    if (event.kind() == EventKind.EXIT) {
      logs.processEnded(event.pid());
      receivers.forget(event.pid());
    }
  }

  private void tickUntilClosed() {
    while (!closed) {
      LockSupport.parkNanos(TICK);
      tick();
    }
  }

  private synchronized void tick() {
    untilLook = 0;
    long now = HostTime.now();
    stitching.advance(now);
    batches.flush();
    logs.advance(now);
    names.advance(now);
    logBatches.flush();
  }

  /** Switches the kernel's programs on, or off, in which case nobody pays for them. */
  public void setActive(boolean active) throws IOException {
    hook.setActive(active);
  }

  public boolean isActive() {
    return hook.isActive();
  }

  /** In a sentence, what works here and what does not. */
  public String describe() {
    return hook.describe();
  }

  /**
   * Where observed processes get the memory in which their threads are told what they read; empty
   * where nobody is told.
   */
  public Optional<Path> inboundSocket() {
    return hook.inboundSocket();
  }

  public Map<Outcome, Long> kernelCounters() {
    return hook.counters();
  }

  public synchronized Load load() {
    return new Load(connections.size(), connections.held(), Duration.ofNanos(lag));
  }

  public Map<SpanCount, Long> spanCounters() {
    return maker.counters().all();
  }

  public Map<Lost, Long> lostCounters() {
    return connections.lost().all();
  }

  public synchronized StitcherCounts stitcherCounters() {
    return stitching.counts();
  }

  /** Spans that were handed to the exporter. */
  public long spans() {
    return batches.count();
  }

  /** Empty where nothing is exported. */
  public Optional<ExportCounters> exportCounters() {
    return outlet.counters();
  }

  public synchronized Map<Correlated, Long> logCounters() {
    return logs.counts();
  }

  /** Log records that were handed to the exporter. */
  public long records() {
    return logBatches.count();
  }

  /** Of log records; empty where they are not exported. */
  public Optional<ExportCounters> logExportCounters() {
    return logOutlet.counters();
  }

  /** Ends the observation; what was seen goes out, or stays on disk if the collector is away. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    hook.close();
    synchronized (this) {
      logs.close();
      stitching.flush();
      batches.flush();
      names.flush();
      logBatches.flush();
    }
    outlet.close();
    logOutlet.close();
  }
}
