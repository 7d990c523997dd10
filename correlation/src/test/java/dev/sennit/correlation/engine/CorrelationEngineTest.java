/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.engine.CorrelationSettings.Ambiguous;
import dev.sennit.correlation.engine.Evidence.Basis;
import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.Severity;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CorrelationEngineTest {
  private static final Resource SHOP = new Resource("shop", Map.of());
  private static final SpanContext A = new SpanContext(1, 1, 0xa, 1);
  private static final SpanContext B = new SpanContext(1, 2, 0xb, 1);
  private static final int PID = 100;
  private static final long T = 1_000_000_000_000L;
  private static final long MS = 1_000_000;

  private final List<LogRecord> out = new ArrayList<>();
  private final CorrelationEngine engine =
      new CorrelationEngine(CorrelationSettings.defaults(), out::add);

  @Test
  void whatTheLineSaysWins() {
    LogRecord record = record(T, B);
    engine.enrichLog(record, evidence(Told.BY_RECORD, A, T));

    assertFound(B, Found.LINE, Correlated.LINE);
  }

  @Test
  void theRecordOfTheThreadIsExact() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.enrichLog(record(T + MS), evidence(Told.BY_RECORD, B, T + MS));

    assertFound(B, Found.RECORD, Correlated.RECORD);
  }

  @Test
  void theKernelKnowsWhichThreadServesWhat() {
    engine.enrichLog(record(T), evidence(Told.BY_THREAD, A, T));

    assertFound(A, Found.THREAD, Correlated.THREAD);
  }

  @Test
  void aThreadThatSaysThatItIsInNoSpanIsBelieved() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.enrichLog(record(T + MS), evidence(Told.IN_NONE, null, T + MS));

    assertLeft(Correlated.NONE);
  }

  @Test
  void theOnlyRequestOfAProcessIsTheLines() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.enrichLog(record(T + MS), evidence(Told.NOTHING, null, T + MS));

    assertFound(A, Found.PROCESS, Correlated.PROCESS);
  }

  @Test
  void withTwoOpenRequestsNothingIsSaid() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanStart(PID, 2, B, T + 1);
    engine.enrichLog(record(T + MS), evidence(Told.NOTHING, null, T + MS));

    assertLeft(Correlated.AMBIGUOUS);
  }

  @Test
  void aRequestThatEndedAMomentAgoMayStillWriteLines() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanEnd(PID, 1, A, T + MS);
    engine.registerSpanStart(PID, 1, B, T + 2 * MS);
    engine.enrichLog(record(T + 3 * MS), evidence(Told.NOTHING, null, T + 3 * MS));

    assertLeft(Correlated.AMBIGUOUS);
  }

  @Test
  void afterTheWindowItMayNot() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanEnd(PID, 1, A, T + MS);
    engine.registerSpanStart(PID, 1, B, T + 102 * MS);
    engine.enrichLog(record(T + 103 * MS), evidence(Told.NOTHING, null, T + 103 * MS));

    assertFound(B, Found.PROCESS, Correlated.PROCESS);
  }

  @Test
  void onRequestTheLatestOfSeveralIsTaken() {
    engine.change(CorrelationSettings.defaults().withAmbiguous(Ambiguous.LATEST));
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanStart(PID, 2, B, T + 1);
    engine.enrichLog(record(T + MS), evidence(Told.NOTHING, null, T + MS));

    assertFound(B, Found.PROCESS, Correlated.PROCESS);
  }

  @Test
  void aLineThatNamesItsThreadGetsWhatThatOneServed() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanStart(PID, 2, B, T);
    engine.enrichLog(record(T + MS), said(2, T + MS));

    assertFound(B, Found.THREAD, Correlated.THREAD);
  }

  @Test
  void aLineThatNamesItsThreadGetsTheRequestThatWasOpenThen() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanEnd(PID, 1, A, T + 10 * MS);
    engine.registerSpanStart(PID, 1, B, T + 20 * MS);
    engine.enrichLog(record(T + 5 * MS), said(1, T + 5 * MS));
    engine.enrichLog(record(T + 15 * MS), said(1, T + 15 * MS));

    assertThat(out).extracting(LogRecord::span).containsExactly(A, null);
  }

  @Test
  void aLineThatWaitedGetsTheRequestThatWasOpenWhenItWasWritten() {
    for (int i = 0; i < 500; i++) {
      long start = T + i * MS;
      SpanContext span = i == 0 ? A : new SpanContext(1, 1, 100 + i, 1);
      engine.registerSpanStart(PID, 1, span, start);
      engine.registerSpanEnd(PID, 1, span, start + MS / 2);
    }
    engine.enrichLog(record(T + 1), said(1, T + 1));

    assertFound(A, Found.THREAD, Correlated.THREAD);
  }

  @Test
  void ofTwoRequestsThatWereOpenThenTheOneThatIsStillKnownIsNotTaken() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanStart(PID, 2, B, T);
    engine.registerSpanEnd(PID, 2, B, T + 2 * MS);
    for (int i = 0; i < 5_000; i++) {
      SpanContext span = new SpanContext(1, 1, 100 + i, 1);
      engine.registerSpanStart(PID, 2, span, T + (200 + i) * MS);
      engine.registerSpanEnd(PID, 2, span, T + (200 + i) * MS);
    }
    engine.enrichLog(record(T + MS), evidence(Told.NOTHING, null, T + MS));

    assertLeft(Correlated.AMBIGUOUS);
  }

  @Test
  void aThreadSaysNothingWhereRequestsAreAnsweredElsewhere() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.registerSpanEnd(PID, 2, A, T + MS);
    engine.registerSpanStart(PID, 1, A, T + 200 * MS);
    engine.registerSpanStart(PID, 2, B, T + 200 * MS);
    engine.enrichLog(record(T + 201 * MS), said(2, T + 201 * MS));

    assertLeft(Correlated.AMBIGUOUS);
  }

  @Test
  void aLineMayComeBeforeItsRequest() {
    engine.enrichLog(record(T + 1), evidence(Told.NOTHING, null, T + 1));
    assertThat(out).isEmpty();
    engine.registerSpanStart(PID + 1, 1, B, T);
    assertThat(out).isEmpty();
    engine.registerSpanStart(PID, 1, A, T);

    assertFound(A, Found.RETROACTIVE, Correlated.RETROACTIVE);
  }

  @Test
  void itWaitsNoLongerThanTheWindow() {
    engine.enrichLog(record(T), evidence(Told.NOTHING, null, T));
    engine.advance(T + 100 * MS);
    assertThat(out).isEmpty();
    engine.advance(T + 100 * MS + 1);

    assertLeft(Correlated.NONE);
  }

  @Test
  void ofThoseThatWaitTheOldestGoFirst() {
    for (int i = 0; i < 1_500; i++) {
      engine.enrichLog(record(T + i), evidence(Told.NOTHING, null, T + i));
    }
    assertThat(out).hasSize(500);
    engine.flush();

    assertThat(out).extracting(LogRecord::time).isSorted().hasSize(1_500);
  }

  @Test
  void linesOfABufferAreNobodys() {
    engine.enrichLog(record(T), new Evidence(PID, 1, T, Told.BY_RECORD, A, true, Basis.SEEN));

    assertLeft(Correlated.SHARED);
  }

  @Test
  void aLineOfNobodyKnowsWhomIsCounted() {
    engine.enrichLog(record(T), new Evidence(0, 0, T, Told.NOTHING, null, false, Basis.SAID));

    assertLeft(Correlated.UNKNOWN);
  }

  @Test
  void aProcessThatEndedIsForgotten() {
    engine.registerSpanStart(PID, 1, A, T);
    engine.processEnded(PID);
    engine.enrichLog(record(T + MS), evidence(Told.NOTHING, null, T + MS));
    engine.flush();

    assertLeft(Correlated.NONE);
  }

  @Test
  void whereSpansWereForgottenTheOnlyOneThatIsKnownIsNotTaken() {
    engine.change(new CorrelationSettings(Duration.ofMillis(100), Ambiguous.SILENT, 1_000, 4));
    for (int i = 1; i <= 5; i++) {
      engine.registerSpanStart(PID, i, new SpanContext(1, 1, i, 1), T);
    }
    for (int i = 2; i <= 4; i++) {
      engine.registerSpanEnd(PID, i, new SpanContext(1, 1, i, 1), T + MS);
    }
    engine.enrichLog(record(T + 200 * MS), evidence(Told.NOTHING, null, T + 200 * MS));

    assertLeft(Correlated.AMBIGUOUS);
  }

  private static LogRecord record(long time) {
    return record(time, null);
  }

  private static LogRecord record(long time, @Nullable SpanContext span) {
    return new LogRecord(
        time, time, Severity.INFO, null, "line".getBytes(UTF_8), Map.of(), SHOP, span, null);
  }

  private static Evidence evidence(Told told, @Nullable SpanContext span, long time) {
    return new Evidence(PID, 1, time, told, span, false, Basis.SEEN);
  }

  private static Evidence said(int tid, long time) {
    return new Evidence(PID, tid, time, Told.NOTHING, null, false, Basis.SAID);
  }

  private void assertFound(SpanContext span, Found found, Correlated counted) {
    assertThat(out).hasSize(1);
    assertThat(out.getFirst().span()).isEqualTo(span);
    assertThat(out.getFirst().found()).isEqualTo(found);
    assertThat(engine.counts()).containsEntry(counted, 1L);
  }

  private void assertLeft(Correlated counted) {
    assertThat(out).hasSize(1);
    assertThat(out.getFirst().span()).isNull();
    assertThat(out.getFirst().found()).isNull();
    assertThat(engine.counts()).containsEntry(counted, 1L);
  }
}
