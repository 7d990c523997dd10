/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.Otlp.line;
import static dev.sennit.store.Otlp.logs;
import static dev.sennit.store.Otlp.span;
import static dev.sennit.store.Otlp.trace;
import static dev.sennit.store.Otlp.traces;
import static dev.sennit.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class BoundsTest {
  private static final long SMALL = 128 << 20;
  private static final int SPANS_OF_A_REQUEST = 2000;

  @Test
  void theFileStaysWithinItsBoundAndTheOldestGoesFirst() throws Exception {
    Random random = new Random(1);
    try (TelemetryStore store =
        TelemetryStore.temporary(StoreSettings.TEMPORARY.withMaxBytes(SMALL))) {
      long most = 0;
      int requests = 0;
      // Twice over, so that blocks are used again.
      while (store.statistics().written().pruned() < 100_000) {
        send(store, random, requests++);
        most = Math.max(most, store.statistics().bytesOnDisk());
      }
      TestStore.settle(store);
      assertThat(most).isLessThanOrEqualTo(SMALL);
      assertThat(store.statistics().written().lost()).isZero();
      long first = number(store, "SELECT min(epoch_ns(start)) FROM spans");
      assertThat(first).as("what came first is gone").isPositive();
      assertThat(number(store, "SELECT max(epoch_ns(start)) FROM spans")).isEqualTo(requests - 1);
      assertThat(number(store, "SELECT count(*) FROM spans"))
          .as("and all that came after it is there")
          .isBetween(
              (requests - 1 - first) * SPANS_OF_A_REQUEST, (requests - first) * SPANS_OF_A_REQUEST);
    }
  }

  /** Random text, which does not become smaller. The start of the spans is the number. */
  private static void send(TelemetryStore store, Random random, int number)
      throws InterruptedException {
    List<Span> spans = new ArrayList<>();
    byte[] bytes = new byte[150];
    for (int i = 0; i < SPANS_OF_A_REQUEST; i++) {
      random.nextBytes(bytes);
      spans.add(
          span(trace(random.nextLong()), span(random.nextLong()), "work")
              .setStartTimeUnixNano(number)
              .addAttributes(Otlp.attribute("text", HexFormat.of().formatHex(bytes)))
              .build());
    }
    while (store.traces(traces("shop", spans)) instanceof Answer.Later) {
      store.flush();
    }
  }

  @Test
  @Timeout(60)
  void whatIsTooOldGoes() throws Exception {
    StoreSettings settings = StoreSettings.TEMPORARY.withMaxAge(Duration.ofMillis(1));
    try (TelemetryStore store = TelemetryStore.temporary(settings)) {
      TestStore.settle(
          store,
          store.traces(traces("shop", span(trace(1), span(1), "old"))),
          store.logs(logs("shop", line(1, "old"))));
      while (store.statistics().written().pruned() < 2) {
        Thread.sleep(10);
      }
      assertThat(number(store, "SELECT count(*) FROM spans")).isZero();
      // The process goes in a transaction of its own.
      while (number(store, "SELECT count(*) FROM processes") > 0) {
        Thread.sleep(10);
      }
      assertThat(store.statistics().written().lastFailure()).isNull();
    }
  }

  @Test
  void whereNothingMoreFitsTheAnswerIsLaterAndNothingIsLost() throws Exception {
    StoreSettings settings = StoreSettings.TEMPORARY.withQueueBytes(1);
    List<LogRecord> lines = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      lines.add(line(i, "line " + i).build());
    }
    try (TelemetryStore store = TelemetryStore.temporary(settings)) {
      long taken = 0;
      long refused = 0;
      while (refused == 0 || taken < 3) {
        if (store.logs(logs("shop", lines)) instanceof Answer.Later later) {
          assertThat(later.after()).isPositive();
          refused++;
          store.flush();
        } else {
          taken++;
        }
      }
      TestStore.settle(store);
      assertThat(number(store, "SELECT count(*) FROM logs")).isEqualTo(taken * 1000);
    }
  }
}
