/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens to messages, and tells people, in few lines: about the same thing once a
 * minute at most. Not safe for use by several threads.
 */
final class Tally {
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final Consumer<String> log;
  private final Map<DropReason, Long> dropped = new EnumMap<>(DropReason.class);
  private final Map<Object, Said> said = new HashMap<>();
  private long sent;
  private long resent;
  private long partlyRejected;
  private @Nullable String lastError;

  private record Said(String text, long nanos) {}

  Tally(Consumer<String> log) {
    this.log = log;
    for (DropReason reason : DropReason.values()) {
      dropped.put(reason, 0L);
    }
  }

  void sent(SendResult.Delivered delivered) {
    sent++;
    partlyRejected += Math.max(delivered.rejected(), 0);
    if (delivered.rejected() > 0) {
      say("partial", "the collector refused " + delivered.rejected() + ": " + delivered.message());
    } else if (!delivered.message().isEmpty()) {
      say("partial", "the collector warns: " + delivered.message());
    }
  }

  void resent() {
    resent++;
  }

  void failed(String error) {
    lastError = error;
  }

  void drop(DropReason reason, String why) {
    long total = dropped.merge(reason, 1L, Long::sum);
    lastError = why;
    // Of refusals each new one is told, for each may have another cause.
    @Nullable Said before = said.get(reason);
    if (reason == DropReason.REJECTED && before != null && !before.text.equals(why)) {
      said.remove(reason);
    }
    say(reason, why, "message dropped (" + total + " so far): " + why);
  }

  /** Something that people should know and that cost no data. */
  void note(String text) {
    say("note", text);
  }

  /** Tells at once, for what happens once. */
  void tell(String text) {
    try {
      log.accept(text);
    } catch (RuntimeException e) {
      // The log is somebody else's; its failure must not stop the sending.
    }
  }

  private void say(Object topic, String text) {
    say(topic, text, text);
  }

  private void say(Object topic, String text, String line) {
    long now = System.nanoTime();
    @Nullable Said before = said.get(topic);
    if (before == null || now - before.nanos >= QUIET_NANOS) {
      said.put(topic, new Said(text, now));
      tell(line);
    }
  }

  ExportCounters counters(int queued, long queuedBytes) {
    return new ExportCounters(
        sent, resent, partlyRejected, dropped, queued, queuedBytes, Optional.ofNullable(lastError));
  }
}
