/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SpanNumbersTest {
  static final int SPANS = 4;

  @Property
  void readsEveryId(@ForAll long high, @ForAll long low, @ForAll long span) {
    String trace = TraceId.fromLongs(high, low);
    assertThat(Hex.parse(trace, 0)).isEqualTo(high);
    assertThat(Hex.parse(trace, 16)).isEqualTo(low);
    assertThat(Hex.parse(SpanId.fromLong(span), 0)).isEqualTo(span);
  }

  /** Some share their trace, as text that is the same object or another one. */
  @Property
  void knowsTheLatestWhateverCameBefore(
      @ForAll @Size(max = 20) List<@IntRange(min = 0, max = SPANS - 1) Integer> order) {
    List<SpanContext> spans = new ArrayList<>();
    for (int i = 0; i < SPANS; i++) {
      spans.add(
          SpanContext.create(
              i == 1 ? spans.getFirst().getTraceId() : TraceId.fromLongs(7 + i / 3, 8),
              SpanId.fromLong(1L << i),
              TraceFlags.getSampled(),
              TraceState.getDefault()));
    }
    SpanNumbers numbers = new SpanNumbers();
    for (int i : order) {
      numbers.read(spans.get(i));
      assertThat(numbers.traceIdHigh).isEqualTo(7 + i / 3);
      assertThat(numbers.traceIdLow).isEqualTo(8);
      assertThat(numbers.spanId).isEqualTo(1L << i);
    }
  }

  @Test
  void knowsWhatIsRecordedByItsIds() {
    SpanNumbers numbers = new SpanNumbers();
    assertThat(numbers.isRecorded(SpanContext.getInvalid())).isTrue();
    assertThat(numbers.isRecorded(span(1, 2))).isFalse();
    numbers.recorded(span(1, 2));
    assertThat(numbers.isRecorded(span(1, 2))).isTrue();
    assertThat(numbers.isRecorded(span(1, 3))).isFalse();
    assertThat(numbers.isRecorded(span(2, 2))).isFalse();
    assertThat(numbers.isRecorded(SpanContext.getInvalid())).isFalse();
  }

  private static SpanContext span(long trace, long span) {
    return SpanContext.create(
        TraceId.fromLongs(7, trace),
        SpanId.fromLong(span),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }
}
