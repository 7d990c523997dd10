/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.tracing.stitch.NameListener;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets a line go out under the trace id that its span goes out with. A request that came without
 * ids begins a trace, and may later be found to be a part of another; its lines wait until that is
 * decided, as its span does, and no longer.
 */
final class RecordNames implements NameListener, Consumer<LogRecord> {
  private static final int MOST_RECORDS = 20_000;
  private static final int MOST_TRACES = 20_000;

  /** How much later than its answer the name of a trace is known at the latest, by far. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  private record Name(long high, long low) {}

  private static final class Waiting {
    final List<LogRecord> records = new ArrayList<>(1);
    long until = Long.MAX_VALUE;
  }

  /** The oldest first. */
  private final Map<Name, Waiting> traces = new LinkedHashMap<>();

  private final Consumer<LogRecord> out;
  private int held;

  RecordNames(Consumer<LogRecord> out) {
    this.out = out;
  }

  /** A request has come without ids, and was given these. */
  void began(TraceIds ids) {
    traces.putIfAbsent(new Name(ids.traceHigh(), ids.traceLow()), new Waiting());
    if (traces.size() > MOST_TRACES) {
      letOldestGo();
    }
  }

  /**
   * A request was answered.
   *
   * @param time in nanoseconds since 1970
   */
  void answered(TraceIds ids, long time) {
    Waiting waiting = traces.get(new Name(ids.traceHigh(), ids.traceLow()));
    if (waiting != null) {
      waiting.until = time + PATIENCE;
    }
  }

  @Override
  public void accept(LogRecord record) {
    SpanContext span = record.span();
    Waiting waiting =
        span == null || record.found() == Found.LINE
            ? null
            : traces.get(new Name(span.traceHigh(), span.traceLow()));
    if (waiting == null) {
      out.accept(record);
      return;
    }
    waiting.records.add(record);
    held++;
    while (held > MOST_RECORDS) {
      letOldestGo();
    }
  }

  @Override
  public void named(long high, long low, long newHigh, long newLow) {
    Waiting waiting = traces.remove(new Name(high, low));
    if (waiting != null) {
      letGo(waiting, newHigh, newLow);
    }
  }

  private void letOldestGo() {
    Iterator<Map.Entry<Name, Waiting>> oldest = traces.entrySet().iterator();
    Map.Entry<Name, Waiting> entry = oldest.next();
    oldest.remove();
    letGo(entry.getValue(), entry.getKey().high, entry.getKey().low);
  }

  private void letGo(Waiting waiting, long high, long low) {
    held -= waiting.records.size();
    for (LogRecord record : waiting.records) {
      SpanContext span = Objects.requireNonNull(record.span());
      Found found = Objects.requireNonNull(record.found());
      out.accept(
          span.traceHigh() == high && span.traceLow() == low
              ? record
              : record.in(new SpanContext(high, low, span.spanId(), span.flags()), found));
    }
  }

  /**
   * Lines whose span never came go out as they are.
   *
   * @param now in nanoseconds since 1970
   */
  void advance(long now) {
    List<Name> due = new ArrayList<>();
    traces.forEach(
        (name, waiting) -> {
          if (waiting.until <= now) {
            due.add(name);
          }
        });
    due.forEach(name -> named(name.high, name.low, name.high, name.low));
  }

  void flush() {
    while (!traces.isEmpty()) {
      letOldestGo();
    }
  }
}
