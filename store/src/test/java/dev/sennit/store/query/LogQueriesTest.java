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

  private static List<String> heads(LogFilter filter, LogPlace place, int limit) {
    return store.queries().logs().heads(filter, place, limit).items().stream()
        .map(line -> String.valueOf(line.body()))
        .toList();
  }

  @Test
  void fromALineItGoesBackAndOnInTheOrderOfTimes() {
    LogQueries logs = store.queries().logs();
    List<String> back = new ArrayList<>();
    Page<LogHead> page = logs.heads(ALL, LogPlace.NEWEST, 7);
    page.items().forEach(line -> back.add(String.valueOf(line.body())));
    while (page.more()) {
      page = logs.heads(ALL, new LogPlace.OlderThan(page.items().getLast().seq()), 7);
      page.items().forEach(line -> back.add(String.valueOf(line.body())));
    }

    assertThat(back).hasSize(101).startsWith("sent", "Line 0", "Line 1").endsWith("Line 99");
    assertThat(back).doesNotHaveDuplicates();
    assertThat(heads(ALL, LogPlace.OLDEST, 2)).containsExactly("Line 99", "Line 98");
    long oldest = logs.heads(ALL, LogPlace.OLDEST, 1).items().getFirst().seq();
    assertThat(heads(ALL, new LogPlace.NewerThan(oldest), 2)).containsExactly("Line 98", "Line 97");
    assertThat(heads(ALL, new LogPlace.OlderThan(oldest), 2)).isEmpty();
    assertThat(heads(ALL, new LogPlace.OlderThan(1_000_000), 2)).isEmpty();
  }

  @Test
  void linesOfTheSameTimeComeOnceEach() throws InterruptedException {
    try (TelemetryStore same = TelemetryStore.temporary(StoreSettings.TEMPORARY)) {
      TestStore.settle(
          same,
          same.logs(
              logs("shop", line(7, "a"), line(7, "b"), line(7, "c"), line(7, "x".repeat(3000)))));
      LogQueries logs = same.queries().logs();
      LogHead last = logs.heads(ALL, LogPlace.NEWEST, 1).items().getFirst();

      assertThat(last.body()).hasSize(2000);
      assertThat(last.cut()).isTrue();
      assertThat(logs.line(last.seq()).orElseThrow().body()).hasSize(3000);
      assertThat(logs.line(99)).isEmpty();
      assertThat(logs.heads(ALL, new LogPlace.OlderThan(last.seq()), 9).items())
          .extracting(LogHead::body)
          .containsExactly("c", "b", "a");
    }
  }

  @Test
  void whatWasStoredMeanwhileIsCountedAndTheLastOfItTold() {
    LogPlace since = new LogPlace.Stored(10, 50);

    assertThat(store.queries().logs().count(ALL, since)).isEqualTo(40);
    assertThat(heads(ALL, since, 2)).containsExactly("Line 49", "Line 48");
    assertThat(heads(ALL.minSeverity(17), since, 9))
        .containsExactly("Line 40", "Line 30", "Line 20", "Line 10");
  }

  @Test
  void threadsAndAttributesAreConditionsToo() throws InterruptedException {
    try (TelemetryStore other = TelemetryStore.temporary(StoreSettings.TEMPORARY)) {
      TestStore.settle(
          other,
          other.logs(
              logs(
                  "shop",
                  line(1, "a").addAttributes(Otlp.attribute("thread.name", "http-Worker-1")),
                  line(2, "b").addAttributes(Otlp.attribute("thread.id", 17)),
                  line(3, "c").addAttributes(Otlp.attribute("sennit.correlation", "record")))));
      LogQueries logs = other.queries().logs();

      assertThat(logs.heads(ALL.thread("worker"), LogPlace.NEWEST, 9).items())
          .extracting(LogHead::body)
          .containsExactly("a");
      assertThat(logs.heads(ALL.thread("17"), LogPlace.NEWEST, 9).items())
          .extracting(LogHead::threadId)
          .containsExactly(17L);
      assertThat(logs.heads(ALL.thread("1"), LogPlace.NEWEST, 9).items())
          .extracting(LogHead::body)
          .containsExactly("a");
      assertThat(logs.heads(ALL.attribute("sennit.correlation", null), LogPlace.NEWEST, 9).items())
          .extracting(LogHead::correlation)
          .containsExactly("record");
      assertThat(logs.lines(ALL.attribute("thread.id", "17"), LogPlace.OLDEST, 9).items())
          .extracting(LogLine::body)
          .containsExactly("b");
    }
  }

  @Test
  void severitiesAreCountedOverTime() {
    LogQueries logs = store.queries().logs();
    LogCounts shop = logs.counts(ALL.service("shop"), 4);

    assertThat(shop.range()).isEqualTo(new TimeRange(901, 1001));
    assertThat(shop.width()).isEqualTo(25);
    // Line i is at time 1000 - i, so each part has 25 lines; errors are at 1000, 990, 980, ...
    assertThat(shop.parts())
        .containsExactly(
            new LogCounts.Part(901, 9, 23),
            new LogCounts.Part(901, 17, 2),
            new LogCounts.Part(926, 9, 22),
            new LogCounts.Part(926, 17, 3),
            new LogCounts.Part(951, 9, 23),
            new LogCounts.Part(951, 17, 2),
            new LogCounts.Part(976, 9, 22),
            new LogCounts.Part(976, 17, 3));
    assertThat(logs.counts(LogFilter.in(new TimeRange(0, 100)), 4).parts()).isEmpty();
    assertThat(logs.counts(ALL.service("nobody"), 4).parts()).isEmpty();
    assertThat(logs.services(TimeRange.ALL, 1)).isEqualTo(new Page<>(List.of("mail"), true));
  }
}
