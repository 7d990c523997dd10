/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.engine.CorrelationSettings.Ambiguous;
import dev.sennit.correlation.engine.Evidence.Basis;
import dev.sennit.correlation.engine.ServedSpans.Candidates;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.SpanContext;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins lines to spans. What the line says itself comes first; then what the record of its thread
 * said at the moment of the write; then, by process, thread and time, the request that its thread
 * was serving, or the only one that its process was serving; then a request that becomes known only
 * after the line. What could belong to several stays alone, and everything is counted.
 *
 * <p>Spans are registered when requests arrive, for lines are written while they are served. It has
 * no clock and starts no thread: its caller says what time it is, by {@link #advance}. Not for use
 * by several threads at the same time.
 */
public final class CorrelationEngine {
  private static final int MOST_PROCESSES = 8_192;

  /**
   * Lines come later than what was seen at the same time, for they wait for what belongs to them.
   */
  private static final long LATE = TimeUnit.SECONDS.toNanos(2);

  private final Consumer<LogRecord> out;
  private final LinkedHashMap<Integer, ServedSpans> processes =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, ServedSpans> eldest) {
          return size() > MOST_PROCESSES;
        }
      };
  private final EnumMap<Correlated, Long> counts = new EnumMap<>(Correlated.class);
  private final Waiting waiting;
  private CorrelationSettings settings;
  private long window;

  /**
   * @param out takes every record once, with its span where one was found
   */
  public CorrelationEngine(CorrelationSettings settings, Consumer<LogRecord> out) {
    this.out = out;
    this.settings = settings;
    this.window = settings.window().toNanos();
    this.waiting = new Waiting(this::giveUp);
    for (Correlated each : Correlated.values()) {
      counts.put(each, 0L);
    }
  }

  /** Goes on by other settings. */
  public void change(CorrelationSettings newSettings) {
    settings = newSettings;
    window = newSettings.window().toNanos();
    waiting.bound(newSettings.waiting());
  }

  /**
   * A request has arrived.
   *
   * @param tid the thread that read it
   * @param start when it arrived, in nanoseconds since 1970
   */
  public void registerSpanStart(int pid, int tid, SpanContext span, long start) {
    ServedSpans served = processes.computeIfAbsent(pid, _ -> new ServedSpans(settings.spans()));
    served.add(new ServedSpan(span, tid, start), start - window - LATE);
    waiting.removeIf(
        pid,
        (record, evidence) -> {
          Decision decision = decide(served, evidence);
          if (decision.span == null) {
            return false;
          }
          join(record, decision.span, Found.RETROACTIVE, Correlated.RETROACTIVE);
          return true;
        });
  }

  /**
   * A request was answered.
   *
   * @param tid the thread that answered
   * @param end when, in nanoseconds since 1970
   */
  public void registerSpanEnd(int pid, int tid, SpanContext span, long end) {
    ServedSpans served = processes.get(pid);
    if (served != null) {
      served.end(span, tid, end);
    }
  }

  /** A process has ended; its number may soon be another one's. */
  public void processEnded(int pid) {
    processes.remove(pid);
  }

  /** Gives a record its span and hands it on, at once or, if that may still be found, later. */
  public void enrichLog(LogRecord record, Evidence evidence) {
    if (record.span() != null) {
      join(record, record.span(), Found.LINE, Correlated.LINE);
    } else if (evidence.shared()) {
      leave(record, Correlated.SHARED);
    } else if (evidence.span() != null && evidence.told() == Told.BY_RECORD) {
      join(record, evidence.span(), Found.RECORD, Correlated.RECORD);
    } else if (evidence.span() != null && evidence.told() == Told.BY_THREAD) {
      join(record, evidence.span(), Found.THREAD, Correlated.THREAD);
    } else if (evidence.told() == Told.IN_NONE) {
      leave(record, Correlated.NONE);
    } else if (evidence.pid() == 0) {
      leave(record, Correlated.UNKNOWN);
    } else {
      byServedSpans(record, evidence);
    }
  }

  private void byServedSpans(LogRecord record, Evidence evidence) {
    ServedSpans served = processes.get(evidence.pid());
    Decision decision = served == null ? Decision.NOTHING : decide(served, evidence);
    if (decision.span != null) {
      Found found = decision.byThread ? Found.THREAD : Found.PROCESS;
      join(
          record, decision.span, found, decision.byThread ? Correlated.THREAD : Correlated.PROCESS);
    } else if (decision.several) {
      leave(record, Correlated.AMBIGUOUS);
    } else {
      waiting.add(record, evidence, settings.waiting());
    }
  }

  private record Decision(@Nullable SpanContext span, boolean byThread, boolean several) {
    static final Decision NOTHING = new Decision(null, false, false);
  }

  private Decision decide(ServedSpans served, Evidence evidence) {
    long before = evidence.basis() == Basis.SAID ? window : 0;
    // Where the write was seen, the thread was looked at in that moment, and nothing was certain.
    if (evidence.basis() != Basis.SEEN && evidence.tid() != 0 && !served.answersElsewhere()) {
      ServedSpan exact = served.of(evidence.tid(), evidence.time(), 0, 0).only();
      ServedSpan near =
          exact != null ? exact : served.of(evidence.tid(), evidence.time(), before, before).only();
      if (near != null) {
        return new Decision(near.span, true, false);
      }
    }
    Candidates all = served.of(0, evidence.time(), before, window);
    ServedSpan latest = all.latest();
    if (latest == null) {
      return Decision.NOTHING;
    }
    boolean silent = all.several() && settings.ambiguous() == Ambiguous.SILENT;
    return new Decision(silent ? null : latest.span, false, all.several());
  }

  /** It has become this time, in nanoseconds since 1970; lines whose span did not come go out. */
  public void advance(long now) {
    waiting.giveUpUntil(now - window);
  }

  /** Everything goes out as it is. */
  public void flush() {
    waiting.bound(0);
  }

  private void giveUp(LogRecord record) {
    leave(record, Correlated.NONE);
  }

  private void leave(LogRecord record, Correlated why) {
    counts.merge(why, 1L, Long::sum);
    out.accept(record);
  }

  private void join(LogRecord record, SpanContext span, Found found, Correlated how) {
    counts.merge(how, 1L, Long::sum);
    out.accept(record.in(span, found));
  }

  /** How many lines there were of each kind; those that still wait are in none. */
  public Map<Correlated, Long> counts() {
    return new EnumMap<>(counts);
  }
}
