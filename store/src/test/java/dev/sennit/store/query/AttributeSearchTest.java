/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.store.Otlp;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.TestStore;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttributeSearchTest {
  private static final List<AnyValue> VALUES =
      Stream.of(
              text("plain"),
              text("10.0.0.1"),
              text("a b/c:d@e-f_g.h"),
              text("with \"quotes\" and \\ and \n and ü and 𝄞"),
              text("ÄPFEL"),
              text("1e5"),
              text(""),
              AnyValue.newBuilder().setIntValue(200),
              AnyValue.newBuilder().setIntValue(Long.MIN_VALUE),
              AnyValue.newBuilder().setDoubleValue(1.5),
              AnyValue.newBuilder().setDoubleValue(100),
              AnyValue.newBuilder().setDoubleValue(1e22),
              AnyValue.newBuilder().setDoubleValue(-1e-7),
              AnyValue.newBuilder().setDoubleValue(Double.NaN),
              AnyValue.newBuilder().setBoolValue(true),
              AnyValue.newBuilder()
                  .setArrayValue(ArrayValue.newBuilder().addValues(text("x")).addValues(text("y"))))
          .map(AnyValue.Builder::build)
          .toList();

  private final TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);

  private static AnyValue.Builder text(String text) {
    return AnyValue.newBuilder().setStringValue(text);
  }

  @BeforeEach
  void send() throws InterruptedException {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      spans.add(
          Otlp.span(Otlp.trace(i + 1), Otlp.span(i + 1), "work")
              .addAttributes(KeyValue.newBuilder().setKey("the.key").setValue(VALUES.get(i)))
              .build());
    }
    spans.add(Otlp.span(Otlp.trace(1000), Otlp.span(1000), "nothing").build());
    TestStore.settle(store, store.traces(Otlp.traces("shop", spans)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<String> found(TraceFilter filter) {
    return store.queries().traces().search(filter, 100).items().stream()
        .map(TraceSummary::traceId)
        .toList();
  }

  @Test
  void aValueIsFoundAsItIsShownHoweverItIsWritten() {
    TraceFilter any = TraceFilter.in(TimeRange.ALL);
    List<List<@Nullable Object>> rows =
        TestStore.ask(store, "SELECT trace_id, attributes ->> '/the.key' FROM spans");
    assertThat(rows).hasSize(VALUES.size() + 1);
    for (List<@Nullable Object> row : rows) {
      if (row.get(1) != null) {
        assertThat(found(any.attribute("the.key", String.valueOf(row.get(1)))))
            .as("%s", row)
            .containsExactly(String.valueOf(row.get(0)));
      }
    }
    assertThat(found(any.attribute("the.key", null))).hasSize(VALUES.size());
    assertThat(found(any.attribute("key", null))).isEmpty();
    assertThat(found(any.attribute("the.key", "plai"))).isEmpty();
  }

  @Test
  void textIsFoundInWhateverCase() {
    TraceFilter any = TraceFilter.in(TimeRange.ALL);
    assertThat(found(any.text("PLAin"))).containsExactly(Otlp.trace(1));
    assertThat(found(any.text("äpfel"))).containsExactly(Otlp.trace(5));
    assertThat(found(any.text("A B/C:D@E-F_G.H"))).containsExactly(Otlp.trace(3));
    assertThat(found(any.text("a.b"))).as("no pattern").isEmpty();
    assertThat(found(any.text("x".repeat(10_000)))).isEmpty();
    assertThat(found(any.text("NOTHING"))).containsExactly(Otlp.trace(1000));
  }
}
