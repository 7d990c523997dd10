/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.Otlp.span;
import static dev.sennit.store.Otlp.trace;
import static dev.sennit.store.Otlp.traces;
import static dev.sennit.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import dev.sennit.store.query.TimeRange;
import dev.sennit.store.query.TraceFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConcurrencyTest {
  private static final int WRITERS = 4;
  private static final int REQUESTS = 100;

  @TempDir Path folder;

  @Test
  void manyWriteAndManyReadAtTheSameTime() throws Exception {
    try (TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      AtomicLong next = new AtomicLong(1);
      for (int i = 0; i < WRITERS; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int j = 0; j < REQUESTS; j++) {
                    long number = next.getAndIncrement();
                    Answer answer =
                        store.traces(traces("shop", span(trace(number), span(number), "x")));
                    assertThat(answer).isEqualTo(Answer.TAKEN);
                  }
                }));
        all.add(
            threads.submit(
                () -> {
                  long before = 0;
                  for (int j = 0; j < 10; j++) {
                    long seen =
                        store
                            .queries()
                            .traces()
                            .search(TraceFilter.in(TimeRange.ALL), 1000)
                            .items()
                            .size();
                    assertThat(seen).isGreaterThanOrEqualTo(before);
                    before = seen;
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      TestStore.settle(store);
      assertThat(number(store, "SELECT count(*) FROM spans")).isEqualTo(WRITERS * REQUESTS);
    }
  }

  @Test
  void whatWasTakenBeforeTheEndIsThereAfterIt() throws Exception {
    Path file = folder.resolve("closed.duckdb");
    AtomicLong taken = new AtomicLong();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      TelemetryStore store = TelemetryStore.open(file, StoreSettings.NAMED);
      Future<?> writer =
          threads.submit(
              () -> {
                for (long i = 1;
                    store.traces(traces("shop", span(trace(i), span(i), "x")))
                        instanceof Answer.Taken;
                    i++) {
                  taken.set(i);
                }
              });
      while (taken.get() < 500) {
        Thread.onSpinWait();
      }
      store.close();
      writer.get();
    }
    try (TelemetryStore again = TelemetryStore.open(file, StoreSettings.NAMED)) {
      assertThat(number(again, "SELECT count(*) FROM spans")).isEqualTo(taken.get());
      // Ids are remembered beyond the end.
      TestStore.settle(again, again.traces(traces("shop", span(trace(1), span(1), "x"))));
      assertThat(number(again, "SELECT count(*) FROM spans")).isEqualTo(taken.get());
    }
  }

  @Test
  void aTemporaryStoreLeavesNothing() {
    Path file;
    try (TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY)) {
      file = store.file();
      assertThat(file).exists();
    }
    assertThat(Files.exists(file.getParent())).isFalse();
  }
}
