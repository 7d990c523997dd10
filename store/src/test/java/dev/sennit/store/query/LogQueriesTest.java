/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static dev.sennit.store.Otlp.line;
import static dev.sennit.store.Otlp.logs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.Otlp;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.TestStore;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A hundred lines, of which the tenth part are errors; line i is at time 1000 - i. */
class LogQueriesTest {
  private static final LogFilter ALL = LogFilter.in(TimeRange.ALL);

  private static TelemetryStore store;

  @BeforeAll
  static void fill() throws InterruptedException {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    List<LogRecord> lines = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      lines.add(
          line(1000 - i, "Line " + i)
              .setSeverityNumber(
                  i % 10 == 0
                      ? SeverityNumber.SEVERITY_NUMBER_ERROR
                      : SeverityNumber.SEVERITY_NUMBER_INFO)
              .setTraceId(Otlp.id(Otlp.trace(1 + i % 4)))
              .setSpanId(Otlp.id(Otlp.span(1 + i % 8)))
              .build());
    }
    TestStore.settle(
        store,
        store.logs(logs("shop", lines)),
        store.logs(logs("mail", line(5000, "sent").addAttributes(Otlp.attribute("to", "Ann")))));
  }

  @AfterAll
  static void close() {
    store.close();
  }

  private static List<String> bodies(LogFilter filter, int limit) {
    return store.queries().logs().search(filter, limit).items().stream()
        .map(line -> String.valueOf(line.body()))
        .toList();
  }

  @Test
  void theNewestComeFirstAndTheLimitIsSaid() {
    Page<LogLine> page = store.queries().logs().search(ALL, 3);
    assertThat(page.more()).isTrue();
    assertThat(page.items()).extracting(LogLine::body).containsExactly("sent", "Line 0", "Line 1");
    assertThat(store.queries().logs().search(ALL, 101).more()).isFalse();
  }

  @Test
  void everyConditionHolds() {
    assertThat(bodies(ALL.service("mail"), 10)).containsExactly("sent");
    assertThat(bodies(ALL.minSeverity(17), 100)).hasSize(10).startsWith("Line 0", "Line 10");
    assertThat(bodies(ALL.text("line 9"), 100)).hasSize(11);
    assertThat(bodies(ALL.text("ann"), 100)).containsExactly("sent");
    assertThat(bodies(ALL.of(Otlp.trace(1), null), 100)).hasSize(25).startsWith("Line 0", "Line 4");
    assertThat(bodies(ALL.of(Otlp.trace(1), Otlp.span(5)), 100)).startsWith("Line 4", "Line 12");
    assertThat(bodies(LogFilter.in(new TimeRange(990, 993)), 100))
        .containsExactly("Line 8", "Line 9", "Line 10");
  }

  @Test
  void whoFollowsGetsEachLineOnceAsItCame() {
    List<String> followed = new ArrayList<>();
    long cursor = 0;
    Page<LogLine> page;
    do {
      page = store.queries().logs().search(ALL.after(cursor), 7);
      page.items().forEach(line -> followed.add(String.valueOf(line.body())));
      cursor = page.items().getLast().seq();
    } while (page.more());
    assertThat(followed).hasSize(101).startsWith("Line 0", "Line 1").endsWith("Line 99", "sent");
    assertThat(cursor).isEqualTo(store.queries().logs().lastSeq());
    assertThat(store.queries().logs().search(ALL.after(cursor), 7).items()).isEmpty();
  }
}
