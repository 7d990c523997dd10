/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.context.thread.ContextStorageMode;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** With the SDK as an ordinary dependency, and nothing but its autoconfiguration called. */
@Order(1)
final class SdkTest {
  private static AutoConfiguredOpenTelemetrySdk sdk;
  private static Tracer tracer;

  @BeforeAll
  static void configure() {
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(
                () ->
                    Map.of(
                        "otel.service.name", "checkout",
                        "otel.traces.exporter", "none",
                        "otel.metrics.exporter", "none",
                        "otel.logs.exporter", "none"))
            .build();
    tracer = sdk.getOpenTelemetrySdk().getTracer("test");
  }

  @AfterAll
  static void close() {
    sdk.getOpenTelemetrySdk().close();
  }

  @Test
  void theRecordIsThatOfTheInnermostSpanAndThenOfItsParentAgain() {
    Span outer = tracer.spanBuilder("outer").startSpan();
    try (Scope _ = outer.makeCurrent()) {
      assertThat(recorded()).isEqualTo(idsOf(outer));
      Span inner = tracer.spanBuilder("inner").startSpan();
      try (Scope _ = inner.makeCurrent()) {
        assertThat(recorded()).isEqualTo(idsOf(inner));
      }
      assertThat(recorded()).isEqualTo(idsOf(outer));
      inner.end();
    }
    assertThat(recorded()).isEqualTo("none");
    outer.end();
  }

  @Test
  void scopesMayBeClosedInAnyOrder() throws Exception {
    // On a thread of its own, for the SDK leaves the outer span current.
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      thread.submit(SdkTest::closeOutOfOrder).get();
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // Closed here, but not as they should be.
  private static void closeOutOfOrder() {
    Span outer = tracer.spanBuilder("outer").startSpan();
    Span inner = tracer.spanBuilder("inner").startSpan();
    Scope first = outer.makeCurrent();
    Scope second = inner.makeCurrent();
    first.close();
    assertThat(recorded()).isEqualTo(idsOf(Span.current())).isEqualTo(idsOf(inner));
    second.close();
    assertThat(recorded()).isEqualTo(idsOf(Span.current())).isEqualTo(idsOf(outer));
    outer.end();
    inner.end();
  }

  /** As the SDK has it: the thread that opened it stays in the span, the other in its own. */
  @Test
  @SuppressWarnings("MustBeClosedChecker") // Closed here, but not as it should be.
  void aScopeThatAnotherThreadClosesIsNoChangeToEither() throws Exception {
    Span opened = tracer.spanBuilder("opened").startSpan();
    Span other = tracer.spanBuilder("other").startSpan();
    try (ExecutorService opener = Executors.newSingleThreadExecutor();
        Scope _ = other.makeCurrent()) {
      Scope scope = opener.submit(opened::makeCurrent).get();
      scope.close();
      assertThat(recorded()).isEqualTo(idsOf(Span.current())).isEqualTo(idsOf(other));
      assertThat(opener.submit(SdkTest::recorded).get()).isEqualTo(idsOf(opened));
    }
    assertThat(recorded()).isEqualTo("none");
    opened.end();
    other.end();
  }

  @Test
  void aContextWithTheSameSpanChangesNothing() {
    Span span = tracer.spanBuilder("one").startSpan();
    try (Scope _ = span.makeCurrent();
        Scope _ = Baggage.builder().put("k", "v").build().makeCurrent()) {
      assertThat(recorded()).isEqualTo(idsOf(span));
    }
    assertThat(recorded()).isEqualTo("none");
    span.end();
  }

  @Test
  void aTaskThatTakesItsContextAlongIsRecordedOnItsThread() throws Exception {
    Span span = tracer.spanBuilder("submitting").startSpan();
    try (ExecutorService plain = Executors.newSingleThreadExecutor();
        Scope _ = span.makeCurrent()) {
      ExecutorService pool = Context.taskWrapping(plain);
      assertThat(pool.submit(SdkTest::recorded).get()).isEqualTo(idsOf(span));
      assertThat(plain.submit(SdkTest::recorded).get()).isEqualTo("none");
    }
    span.end();
  }

  @Test
  void theRootIsTheFirstSpanOfTheTraceInThisProcess() {
    LocalRootSpans roots = new LocalRootSpans();
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    assertThat(roots.rootOf(Hex.parse(remote.getSpanId(), 0))).isEqualTo(0xb7ad6b7169203331L);
    assertThat(Hex.parse(remote.getTraceId(), 16)).isEqualTo(0x8448eb211c80319cL);
  }

  @Test
  void theResourceOfTheSdkIsThatOfTheProcess() {
    assertThat(ContextApi.getMode()).isEqualTo(ContextStorageMode.OTEL);
    assertThat(
            new ProcessContextReader()
                .read(Math.toIntExact(ProcessHandle.current().pid()))
                .toString())
        .contains("checkout")
        .contains("telemetry.sdk.language");
  }

  private static String recorded() {
    ContextSnapshot snapshot = new ContextSnapshot();
    return ContextApi.get(snapshot)
        ? "%016x%016x-%016x"
            .formatted(snapshot.traceIdHigh(), snapshot.traceIdLow(), snapshot.spanId())
        : "none";
  }

  private static String idsOf(Span span) {
    return span.getSpanContext().isValid()
        ? span.getSpanContext().getTraceId() + "-" + span.getSpanContext().getSpanId()
        : "none";
  }
}
