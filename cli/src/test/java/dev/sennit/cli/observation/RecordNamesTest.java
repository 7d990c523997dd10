/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.Severity;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RecordNamesTest {
  private static final TraceIds ROOT = new TraceIds(1, 2, 3, 0, 1);

  private final List<LogRecord> out = new ArrayList<>();
  private final RecordNames names = new RecordNames(out::add);

  @Test
  void aLineTakesTheNameThatItsTraceGets() {
    names.began(ROOT);
    names.accept(record(2, Found.THREAD));
    assertThat(out).isEmpty();
    names.named(1, 2, 7, 8);

    assertThat(out).extracting(LogRecord::span).containsExactly(new SpanContext(7, 8, 3, 1));
    assertThat(out).extracting(LogRecord::found).containsExactly(Found.THREAD);
  }

  @Test
  void whatIsDecidedAlreadyPassesAtOnce() {
    names.accept(record(2, Found.RECORD));
    names.began(ROOT);
    names.accept(record(9, Found.RECORD));
    names.accept(record(2, Found.LINE));

    assertThat(out).hasSize(3);
  }

  @Test
  void aLineWhoseSpanNeverComesGoesOutAsItIs() {
    names.began(ROOT);
    names.accept(record(2, Found.PROCESS));
    names.answered(ROOT, 1_000);
    names.advance(1_000 + TimeUnit.SECONDS.toNanos(10) - 1);
    assertThat(out).isEmpty();
    names.advance(1_000 + TimeUnit.SECONDS.toNanos(10));

    assertThat(out).extracting(LogRecord::span).containsExactly(new SpanContext(1, 2, 3, 1));
  }

  @Test
  void whatWaitsIsBounded() {
    for (int i = 1; i <= 30_000; i++) {
      names.began(new TraceIds(1, i, 3, 0, 1));
      names.accept(record(i, Found.THREAD));
    }
    assertThat(out).hasSize(10_000);
    names.flush();

    assertThat(out).hasSize(30_000);
  }

  private static LogRecord record(long traceLow, Found found) {
    return new LogRecord(
        1,
        1,
        Severity.INFO,
        null,
        "line".getBytes(UTF_8),
        Map.of(),
        new Resource("shop", Map.of()),
        new SpanContext(1, traceLow, 3, 1),
        found);
  }
}
