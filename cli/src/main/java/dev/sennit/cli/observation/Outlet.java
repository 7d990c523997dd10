/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.otlp.export.DropReason;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way out for requests, which may lead elsewhere while an observation goes on, or nowhere.
 * Counters go on when it does.
 */
final class Outlet {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Consumer<String> log;
  private Optional<ExportSettings> settings = Optional.empty();
  private @Nullable Exporter exporter;

  /** The one before, while it still sends what it was handed. */
  private @Nullable Exporter leaving;

  private @Nullable ExportCounters earlier;

  Outlet(Consumer<String> log) {
    this.log = log;
  }

  /** What was handed over already still goes where it was to go. */
  void change(Optional<ExportSettings> newSettings) throws IOException {
    synchronized (this) {
      if (newSettings.equals(settings)) {
        return;
      }
      Exporter fresh = newSettings.isPresent() ? Exporter.open(newSettings.get(), log) : null;
      leaving = exporter;
      exporter = fresh;
      settings = newSettings;
    }
    endLeaving();
  }

  private void endLeaving() {
    Exporter old = leaving;
    if (old != null) {
      old.close(LAST_WORDS);
      synchronized (this) {
        earlier = sum(earlier, old.counters());
        leaving = null;
      }
    }
  }

  synchronized void export(byte[] request) {
    if (exporter != null) {
      exporter.export(request);
    }
  }

  /** Empty where nothing was ever to go out. */
  synchronized Optional<ExportCounters> counters() {
    ExportCounters before = leaving == null ? earlier : sum(earlier, leaving.counters());
    return exporter == null
        ? Optional.ofNullable(before)
        : Optional.of(sum(before, exporter.counters()));
  }

  void close() {
    synchronized (this) {
      leaving = exporter;
      exporter = null;
    }
    endLeaving();
  }

  /** What waits on disk is what the later one says of it. */
  private static ExportCounters sum(@Nullable ExportCounters before, ExportCounters now) {
    if (before == null) {
      return now;
    }
    Map<DropReason, Long> dropped = new EnumMap<>(DropReason.class);
    dropped.putAll(before.dropped());
    now.dropped().forEach((reason, count) -> dropped.merge(reason, count, Long::sum));
    return new ExportCounters(
        before.sent() + now.sent(),
        before.resent() + now.resent(),
        before.partlyRejected() + now.partlyRejected(),
        dropped,
        now.queued(),
        now.queuedBytes(),
        now.lastError().or(before::lastError));
  }
}
