/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.testing.Requires;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requires
class ContextTextTest {
  @Test
  void theResourceComesFirstThenTheAttributesThenTheThreads() {
    assertThat(
            lines(
                new ThreadReading.Threads(
                    List.of(
                        new ThreadRecord(12, "main", 1, 2, 3, 2, 1, Map.of("http.route", "/cart")),
                        new ThreadRecord(134, "worker", -1, -1, -1, 5, 0, Map.of())),
                    0)))
        .containsExactly(
            "process 11, context version 2, published 1 min 5 s ago",
            "resource",
            "  service.name         checkout",
            "  service.instance.id  one",
            "attributes",
            "  list  [\"a\",1]",
            "threads in spans: 2",
            "  TID  NAME    TRACE ID                          SPAN ID           FLAGS  ATTRIBUTES",
            "  12   main    00000000000000010000000000000002  0000000000000003  01    "
                + " http.route=/cart",
            "  134  worker  ffffffffffffffffffffffffffffffff  ffffffffffffffff  00");
  }

  @Test
  void threadsThatCouldNotBeReadInTimeAreCounted() {
    assertThat(lines(new ThreadReading.Threads(List.of(), 3)))
        .endsWith("threads in spans: 0 (3 more could not be read in time)");
  }

  @Test
  void threadsThatCannotBeReadHaveAReason() {
    assertThat(lines(new ThreadReading.Malformed("capacity 0")))
        .endsWith("process 11 publishes malformed thread contexts: capacity 0");
  }

  @Test
  void aTimestampOfTheEpochIsUnderstood() {
    ProcessReading draft =
        new ProcessReading.Published(
            2,
            (System.currentTimeMillis() - 7_500_000) * 1_000_000,
            ProcessContext.builder().build());
    assertThat(ContextText.lines(new ContextReport(11, draft, null)).getFirst().text())
        .isEqualTo("process 11, context version 2, published 2 h 5 min ago");
  }

  @Test
  void aTimestampOfTheFutureIsShownAsItIs() {
    ProcessReading future =
        new ProcessReading.Published(2, Long.MAX_VALUE, ProcessContext.builder().build());
    assertThat(ContextText.lines(new ContextReport(11, future, null)).getFirst().text())
        .endsWith("published at 9223372036854775807 ns");
  }

  @Test
  void escapeSequencesInNamesOfOthersAreSpelledOut() {
    ProcessReading hostile =
        new ProcessReading.Published(
            2,
            1,
            ProcessContext.builder()
                .resource("key\u001b[2J", "value\u001b]0;title\u0007")
                .attribute("list", AttributeValue.ofStrings(List.of("\u009b31m")))
                .build());
    ThreadReading threads =
        new ThreadReading.Threads(
            List.of(new ThreadRecord(1, "\u001b[H", 1, 1, 1, 1, 1, Map.of("\r", "\u202e"))), 0);
    assertThat(ContextText.lines(new ContextReport(1, hostile, threads)))
        .allSatisfy(line -> assertThat(line.text()).doesNotContainPattern("\\p{Cntrl}|\\p{Cf}"));
  }

  private static List<String> lines(ThreadReading threads) {
    long minuteAgo = Libc.clockNanos(Libc.CLOCK_BOOTTIME) - Duration.ofMillis(65_500).toNanos();
    ProcessReading process =
        new ProcessReading.Published(
            2,
            minuteAgo,
            ProcessContext.builder()
                .resource("service.name", "checkout")
                .resource("service.instance.id", "one")
                .attribute(
                    "list",
                    AttributeValue.of(List.of(AttributeValue.of("a"), AttributeValue.of(1))))
                .build());
    return ContextText.lines(new ContextReport(11, process, threads)).stream()
        .map(ContextText.Line::text)
        .toList();
  }
}
