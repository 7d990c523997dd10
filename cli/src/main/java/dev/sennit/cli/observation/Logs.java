/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.engine.Correlated;
import dev.sennit.correlation.engine.CorrelationEngine;
import dev.sennit.correlation.engine.LogReader;
import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.line.Lines;
import dev.sennit.correlation.line.Write;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.span.HostClock;
import dev.sennit.tracing.span.RequestListener;
import dev.sennit.tracing.traffic.TraceIds;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What observed processes write to their logs, on its way from the kernel to records that know
 * their spans. Its settings may change while an observation goes on; counters go on when they do.
 */
final class Logs implements RequestListener {
  /** Of others, what is written in between need not be about the request. */
  private static final Set<String> PROTOCOLS = Set.of("http", "grpc");

  private final HostProcesses processes;
  private final HostClock clock;
  private final CorrelationEngine engine;
  private final HostThreads threads = new HostThreads();
  private final LogReader reader;
  private final byte[] payload = new byte[TracerSettings.LARGEST_SCAN];
  private Optional<LogSettings> settings = Optional.empty();
  private final FollowedFiles files;
  private @Nullable Lines lines;

  /**
   * @param out takes records
   * @param handOn has all that was taken so far handed on
   * @param log takes lines for people
   */
  Logs(
      HostProcesses processes,
      HostClock clock,
      Consumer<LogRecord> out,
      Runnable handOn,
      Consumer<String> log) {
    this.processes = processes;
    this.clock = clock;
    LogSettings standard = LogSettings.defaults();
    engine = new CorrelationEngine(standard.correlation(), out);
    reader = new LogReader(processes::resource, threads, standard.masks(), engine);
    files =
        new FollowedFiles(
            this::onFileLine,
            () -> {
              engine.flush();
              handOn.run();
            },
            log);
  }

  /** What waits for its end goes out as it is. */
  void change(Optional<LogSettings> newSettings) throws IOException {
    if (newSettings.equals(settings)) {
      return;
    }
    files.change(newSettings.flatMap(LogSettings::tail));
    flush();
    settings = newSettings;
    newSettings.ifPresent(
        each -> {
          engine.change(each.correlation());
          reader.change(each.masks());
        });
    lines = newSettings.map(each -> new Lines(each.limits(), reader)).orElse(null);
  }

  void onLine(KernelEvent event) {
    if (lines == null) {
      return;
    }
    processes.seen(event.pid());
    Told told = told(event);
    int size = event.payload(payload);
    lines.written(
        new Write(
            event.pid(),
            event.tid(),
            event.fd(),
            clock.unixNanos(event.time()),
            payload,
            size,
            !event.isTruncated(),
            told,
            told == Told.BY_RECORD || told == Told.BY_THREAD ? span(event) : null,
            new NativeName(event.threadNameLow(), event.threadNameHigh())));
  }

  void onName(KernelEvent event) {
    NativeName name = new NativeName(event.threadNameLow(), event.threadNameHigh());
    threads.named(event.pid(), event.tid(), name, clock.unixNanos(event.time()));
  }

  private void onFileLine(Line line) {
    reader.accept(line, files.file(line.descriptor()), processes.nobody());
  }

  /** The span of a request is another where an SDK reports it; only its own threads know that. */
  private Told told(KernelEvent event) {
    boolean byRecord = event.hasContext() && event.parentSource() == Outcome.PARENT_RECORD;
    if (byRecord) {
      return Told.BY_RECORD;
    }
    if (isReportedBySdk(event.pid())) {
      return Told.IN_NONE;
    }
    if (event.hasContext()) {
      return Told.BY_THREAD;
    }
    return event.isInNone() ? Told.IN_NONE : Told.NOTHING;
  }

  private boolean isReportedBySdk(int pid) {
    return processes.resource(pid).isReportedBySdk();
  }

  private static SpanContext span(KernelEvent event) {
    return new SpanContext(
        event.traceIdHigh(), event.traceIdLow(), event.spanIdNumber(), event.traceFlags() & 0xff);
  }

  @Override
  public void arrived(Exchange request, TraceIds ids, long time) {
    int pid = request.begin().pid();
    if (lines != null && PROTOCOLS.contains(request.protocol()) && !isReportedBySdk(pid)) {
      engine.registerSpanStart(pid, request.begin().tid(), context(ids), time);
    }
  }

  @Override
  public void answered(Exchange request, TraceIds ids, long time) {
    if (lines != null && PROTOCOLS.contains(request.protocol())) {
      engine.registerSpanEnd(request.begin().pid(), request.end().tid(), context(ids), time);
    }
  }

  private static SpanContext context(TraceIds ids) {
    return new SpanContext(ids.traceHigh(), ids.traceLow(), ids.spanId(), ids.flags());
  }

  void processEnded(int pid) {
    if (lines != null) {
      lines.ended(pid);
    }
    engine.processEnded(pid);
    reader.processEnded(pid);
    threads.processEnded(pid);
  }

  /**
   * Lets go of what has waited for long enough.
   *
   * @param now in nanoseconds since 1970
   */
  void advance(long now) {
    files.read(now);
    if (lines != null) {
      lines.advance(now);
    }
    engine.advance(now);
  }

  void flush() {
    if (lines != null) {
      lines.flush();
    }
    engine.flush();
  }

  void close() {
    files.close();
    flush();
  }

  Map<Correlated, Long> counts() {
    return new EnumMap<>(engine.counts());
  }
}
