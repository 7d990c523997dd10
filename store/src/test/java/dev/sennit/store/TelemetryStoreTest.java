/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.Otlp.attribute;
import static dev.sennit.store.Otlp.line;
import static dev.sennit.store.Otlp.logs;
import static dev.sennit.store.Otlp.span;
import static dev.sennit.store.Otlp.trace;
import static dev.sennit.store.Otlp.traces;
import static dev.sennit.store.TestStore.ask;
import static dev.sennit.store.TestStore.number;
import static dev.sennit.store.TestStore.row;
import static dev.sennit.store.TestStore.settle;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.intake.Answer;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TelemetryStoreTest {
  private final TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aSpanIsARowWithAllThatItSays() throws Exception {
    Span.Builder span =
        span(trace(1), span(2), "GET /cart")
            .setParentSpanId(Otlp.id(span(3)))
            .setStartTimeUnixNano(1_700_000_000_123_456_789L)
            .setEndTimeUnixNano(1_700_000_000_123_457_000L)
            .setTraceState("a=b")
            .setStatus(
                Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR).setMessage("no"))
            .addAttributes(attribute("http.route", "/cart"))
            .addAttributes(attribute("http.response.status_code", 500))
            .addEvents(Span.Event.newBuilder().setTimeUnixNano(7).setName("exception"))
            .addLinks(
                Span.Link.newBuilder().setTraceId(Otlp.id(trace(8))).setSpanId(Otlp.id(span(9))));
    settle(store, store.traces(traces("shop", span)));
    assertThat(
            ask(
                store,
                """
                SELECT trace_id, span_id, parent_span_id, service, name, kind, epoch_ns(start),
                  duration_ns, status, status_message, attributes ->> 'http.route',
                  (attributes -> 'http.response.status_code')::INT + 1, trace_state
                FROM spans
                """))
        .containsExactly(
            row(
                trace(1),
                span(2),
                span(3),
                "shop",
                "GET /cart",
                "SERVER",
                1_700_000_000_123_456_789L,
                211L,
                "ERROR",
                "no",
                "/cart",
                501,
                "a=b"));
    assertThat(ask(store, "SELECT trace_id, span_id, epoch_ns(time), name FROM span_events"))
        .containsExactly(row(trace(1), span(2), 7L, "exception"));
    assertThat(ask(store, "SELECT span_id, linked_trace_id, linked_span_id FROM span_links"))
        .containsExactly(row(span(2), trace(8), span(9)));
    assertThat(
            ask(
                store,
                """
                SELECT p.service, host, pid, resource ->> 'host.name'
                FROM processes p JOIN spans USING (process_id)
                """))
        .containsExactly(row("shop", "here", 4711L, "here"));
  }

  @Test
  void aLogLineIsARowAndItsTimeIsThatOfTheObserverWhereItHasNone() throws Exception {
    settle(
        store,
        store.logs(
            logs(
                "shop",
                line(5, "first")
                    .setTraceId(Otlp.id(trace(1)))
                    .setSpanId(Otlp.id(span(2)))
                    .addAttributes(attribute("thread.id", 42))
                    .addAttributes(attribute("thread.name", "main")),
                line(0, "second").setObservedTimeUnixNano(6))));
    assertThat(
            ask(
                store,
                """
                SELECT seq, epoch_ns(time), severity, severity_text, body, trace_id, span_id, pid,
                  thread_id, thread_name
                FROM logs ORDER BY seq
                """))
        .containsExactly(
            row(1L, 5L, 9, "INFO", "first", trace(1), span(2), 4711L, 42L, "main"),
            row(2L, 6L, 9, "INFO", "second", null, null, 4711L, null, null));
  }

  @Test
  void valuesOfEveryKindStayWhatTheyAre() throws Exception {
    KeyValue all =
        KeyValue.newBuilder()
            .setKey("all")
            .setValue(
                AnyValue.newBuilder()
                    .setArrayValue(
                        ArrayValue.newBuilder()
                            .addValues(AnyValue.newBuilder().setBoolValue(true))
                            .addValues(AnyValue.newBuilder().setDoubleValue(0.5))
                            .addValues(AnyValue.newBuilder().setDoubleValue(Double.NaN))
                            .addValues(AnyValue.newBuilder().setIntValue(Long.MIN_VALUE))
                            .addValues(
                                AnyValue.newBuilder()
                                    .setBytesValue(ByteString.copyFrom(new byte[] {0, -1})))
                            .addValues(AnyValue.newBuilder())
                            .addValues(
                                AnyValue.newBuilder()
                                    .setKvlistValue(
                                        KeyValueList.newBuilder().addValues(attribute("k", "v"))))))
            .build();
    settle(store, store.traces(traces("shop", span(trace(1), span(1), "x").addAttributes(all))));
    assertThat(ask(store, "SELECT attributes -> 'all' FROM spans"))
        .containsExactly(
            row("[true,0.5,\"NaN\",-9223372036854775808,\"AP8=\",null,{\"k\":\"v\"}]"));
  }

  @Test
  void aSpanWithoutIdsIsRejectedAndTheOthersAreTaken() throws Exception {
    Span.Builder none = span(trace(1), span(0), "none");
    Span.Builder half = span(trace(1), span(2), "half").setTraceId(Otlp.id("0102"));
    Answer answer = store.traces(traces("shop", none, half, span(trace(1), span(3), "whole")));
    assertThat(answer)
        .isEqualTo(new Answer.TakenInPart(2, "a span has no valid ids; its name is none"));
    store.flush();
    assertThat(ask(store, "SELECT name FROM spans")).containsExactly(row("whole"));
  }

  @Test
  void aSpanThatIsSentAgainIsThereOnce() throws Exception {
    Span.Builder span = span(trace(1), span(1), "once");
    Span.Builder other = span(trace(2), span(1), "another trace");
    settle(store, store.traces(traces("shop", span, span)), store.traces(traces("shop", span)));
    settle(store, store.traces(traces("shop", other, span)));
    assertThat(number(store, "SELECT count(*) FROM spans")).isEqualTo(2);
    assertThat(store.statistics().written().duplicates()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'; DROP TABLE spans; --",
        "\"quoted\" \\ and \\u0000",
        "nul \0 inside",
        "\u202egnal\u202c \u200f",
        "line\nbreak\ttab\r",
        "💧 ünï",
        "<script>alert(1)</script>",
        "%_*?[]",
        ""
      })
  void hostileTextComesBackAsItWas(String text) throws Exception {
    settle(
        store,
        store.traces(
            traces(
                text.isEmpty() ? "x" : text,
                span(trace(1), span(1), text).addAttributes(attribute("key" + text, text)))),
        store.logs(logs("shop", line(1, text).setSeverityText(text))));
    assertThat(ask(store, "SELECT name, attributes::VARCHAR FROM spans").getFirst().getFirst())
        .isEqualTo(text);
    assertThat(ask(store, "SELECT body FROM logs")).containsExactly(row(text));
    var trace = store.queries().traces().trace(trace(1), 10).orElseThrow();
    assertThat(trace.spans().items().getFirst().span().name()).isEqualTo(text);
  }

  @Test
  void longTextComesBackAsItWas() throws Exception {
    String text = "Ω".repeat(10_000);
    settle(
        store,
        store.traces(
            traces(text, span(trace(1), span(1), text).addAttributes(attribute(text, text)))));
    assertThat(ask(store, "SELECT service, name FROM spans")).containsExactly(row(text, text));
  }

  @Test
  void timesThatNobodyCanMeanAreHeld() throws Exception {
    Span.Builder backwards =
        span(trace(1), span(1), "backwards").setStartTimeUnixNano(50).setEndTimeUnixNano(20);
    Span.Builder late = span(trace(1), span(2), "late").setStartTimeUnixNano(-1);
    Span.Builder endless = span(trace(1), span(3), "endless").setEndTimeUnixNano(-1);
    settle(store, store.traces(traces("shop", backwards, late, endless)));
    assertThat(
            ask(
                store,
                "SELECT duration_ns, year(start) FROM spans WHERE name <> 'endless'"
                    + " ORDER BY name"))
        .containsExactly(row(0L, 1970L), row(0L, 2200L));
    assertThat(number(store, "SELECT max(duration_ns) FROM traces")).isPositive();
  }

  @Test
  void theTablesAreEmptyAtFirst() {
    assertThat(
            List.of("spans", "logs", "samples", "stacks", "frames", "processes", "traces").stream()
                .map(table -> number(store, "SELECT count(*) FROM " + table)))
        .containsOnly(0L);
  }
}
