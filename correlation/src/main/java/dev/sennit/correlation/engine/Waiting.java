/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.LogRecord;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Lines whose span may still become known, the oldest first. */
final class Waiting {
  private record Entry(LogRecord record, Evidence evidence) {}

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final Consumer<LogRecord> givenUp;

  Waiting(Consumer<LogRecord> givenUp) {
    this.givenUp = givenUp;
  }

  void add(LogRecord record, Evidence evidence, int most) {
    entries.add(new Entry(record, evidence));
    bound(most);
  }

  void bound(int most) {
    while (entries.size() > most) {
      givenUp.accept(entries.removeFirst().record());
    }
  }

  /** Gives those up that were written before the time. */
  void giveUpUntil(long time) {
    while (!entries.isEmpty() && entries.getFirst().record().observed() < time) {
      givenUp.accept(entries.removeFirst().record());
    }
  }

  /** Goes through the lines of a process. */
  void removeIf(int pid, BiPredicate<LogRecord, Evidence> taken) {
    for (Iterator<Entry> i = entries.iterator(); i.hasNext(); ) {
      Entry entry = i.next();
      if (entry.evidence().pid() == pid && taken.test(entry.record(), entry.evidence())) {
        i.remove();
      }
    }
  }
}
