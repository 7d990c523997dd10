/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.mask.Masks;
import dev.sennit.correlation.parse.LineParser;
import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LogReaderTest {
  private static final SpanContext A = new SpanContext(1, 1, 0xa, 1);
  private static final SpanContext B = new SpanContext(1, 2, 0xb, 1);
  private static final int PID = 100;
  private static final long T = 1_763_000_000_000_000_000L;
  private static final Resource SHOP = new Resource("shop", Map.of());
  private static final Resource NOBODY = new Resource("unknown_service", Map.of());

  private final List<LogRecord> out = new ArrayList<>();
  private final Map<NativeName, Integer> threads = new HashMap<>();
  private final CorrelationEngine engine =
      new CorrelationEngine(CorrelationSettings.defaults(), out::add);
  private final LogReader reader =
      new LogReader(
          pid -> SHOP,
          (pid, name, time) -> threads.getOrDefault(name, 0),
          Masks.standard(),
          engine);

  @Test
  void aLineThatNamesItsWriterIsItsWriters() {
    threads.put(NativeName.ofJava("worker-1"), 1);
    reader.accept(line("12:00:00.000 [worker-1] INFO shop - one", Told.BY_RECORD, A, true));

    assertThat(out).extracting(LogRecord::span).containsExactly(A);
    assertThat(out).extracting(LogRecord::found).containsExactly(Found.RECORD);
  }

  @Test
  void aLineThatNamesAnotherThreadIsThatOnes() {
    threads.put(NativeName.ofJava("worker-2"), 2);
    engine.registerSpanStart(PID, 1, A, T - 1);
    engine.registerSpanStart(PID, 2, B, T - 1);
    reader.accept(line("12:00:00.000 [worker-2] INFO shop - two", Told.BY_THREAD, A, false));

    assertThat(out).extracting(LogRecord::span).containsExactly(B);
    assertThat(out).extracting(LogRecord::found).containsExactly(Found.THREAD);
  }

  @Test
  void whereThreadsKeepRecordsAnotherOnesIsNotKnown() {
    threads.put(NativeName.ofJava("worker-2"), 2);
    reader.accept(line("12:00:00.000 [worker-2] INFO shop - two", Told.BY_RECORD, A, false));

    assertThat(out.getFirst().span()).isNull();
    assertThat(engine.counts()).containsEntry(Correlated.SHARED, 1L);
  }

  @Test
  void aNameThatNoThreadHasSaysNothing() {
    reader.accept(line("12:00:00.000 [virtual-7] INFO shop - one", Told.BY_RECORD, A, false));

    assertThat(out).extracting(LogRecord::span).containsExactly(A);
  }

  @Test
  void aNameThatSeveralThreadsHaveIsNotEnoughWhereThreadsWriteEachOthersLines() {
    threads.put(NativeName.ofJava("worker-1"), ThreadNames.SEVERAL);
    reader.accept(line("12:00:00.000 [worker-1] INFO shop - one", Told.BY_THREAD, A, false));
    reader.accept(line("12:00:00.000 [worker-1] INFO shop - two", Told.BY_THREAD, A, true));
    reader.accept(line("12:00:00.000 [worker-1] INFO shop - three", Told.BY_THREAD, A, false));

    assertThat(out).extracting(LogRecord::span).containsExactly(A, null, null);
  }

  @Test
  void aNameThatNoThreadHasIsNotEnoughWhereThreadsWriteEachOthersLines() {
    reader.accept(line("12:00:00.000 [virtual-7] INFO shop - one", Told.BY_THREAD, A, true));
    reader.accept(line("12:00:00.000 [virtual-7] INFO shop - two", Told.BY_THREAD, A, false));
    reader.accept(line("12:00:00.000 [virtual-8] INFO shop - three", Told.BY_THREAD, A, true));
    reader.accept(line("12:00:00.000 [virtual-7] INFO shop - four", Told.BY_THREAD, A, false));

    assertThat(out).extracting(LogRecord::span).containsExactly(null, A, null, null);
  }

  @Test
  void secretsAreTakenOut() {
    reader.accept(line("Authorization: Bearer abcdef0123456789", Told.NOTHING, null, false));
    engine.flush();

    assertThat(new String(out.getFirst().body(), UTF_8)).doesNotContain("abcdef0123456789");
  }

  @Test
  void aLineOfAFileIsOfTheProcessThatItNames() {
    engine.registerSpanStart(PID, 7, A, T - 1);
    reader.accept(
        line("pid=100 tid=7 taken", Told.NOTHING, null, false), Path.of("/srv/x.txt"), NOBODY);
    reader.accept(line("taken", Told.NOTHING, null, false), Path.of("/srv/x.txt"), NOBODY);

    assertThat(out).extracting(LogRecord::span).containsExactly(A, null);
    assertThat(out).extracting(LogRecord::resource).containsExactly(SHOP, NOBODY);
    assertThat(out)
        .allMatch(
            record ->
                AttributeValue.of("/srv/x.txt").equals(record.attributes().get("log.file.path")));
  }

  private static Line line(String text, Told told, @Nullable SpanContext span, boolean shared) {
    return new Line(
        PID,
        1,
        1,
        T,
        text.getBytes(UTF_8),
        false,
        told,
        span,
        NativeName.ofJava("worker-1"),
        shared,
        new LineParser());
  }
}
