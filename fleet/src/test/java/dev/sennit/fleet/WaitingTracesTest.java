/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where traces wait makes no difference to what becomes of them. */
class WaitingTracesTest {
  private static final int PORT = 40_000;
  private static final Duration LONG = TopologyRig.WINDOW.plus(TopologyRig.GRACE).multipliedBy(3);

  @TempDir private Path folder;

  @Test
  void howeverManySpansWaitTheyAllGetTheName() throws IOException {
    try (TopologyRig rig = new TopologyRig(folder, Long.MAX_VALUE)) {
      rig.send(TestSpans.client(1, 10, 0, rig.now(), PORT).build());
      rig.send(TestSpans.server(2, 20, rig.now(), PORT).build());
      for (int i = 0; i < 300; i++) {
        rig.send(TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 2, 1000 + i, 20).build());
      }
      rig.pass(LONG);

      List<Span> spans = rig.spans();
      assertThat(spans).extracting(Span::getTraceId).containsOnly(TestSpans.bytes(7, 1));
      assertThat(spans).extracting(Span::getSpanId).doesNotHaveDuplicates().hasSize(302);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2_000, 20_000})
  void whatFindsNoRoomInMemoryWaitsOnDiskAndIsJoinedAllTheSame(long bytes) throws IOException {
    try (TopologyRig rig = new TopologyRig(folder, bytes)) {
      for (int i = 1; i <= 20; i++) {
        rig.send(TestSpans.server(1000 + i, 2000 + i, rig.now(), PORT + i).build());
        rig.send(TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1000 + i, 3000 + i, 2000 + i).build());
        rig.send(TestSpans.client(i, 100 + i, 0, rig.now(), PORT + i).build());
      }
      rig.pass(LONG);

      assertThat(rig.counters.get(FleetCount.JOINED)).isEqualTo(20);
      List<Span> spans = rig.spans();
      assertThat(spans).extracting(Span::getSpanId).doesNotHaveDuplicates().hasSize(60);
      assertThat(spans)
          .extracting(Span::getTraceId)
          .doesNotContain(TestSpans.bytes(7, 1001), TestSpans.bytes(7, 1020));
      // All that waited is gone: what comes again is known, and nothing is taken twice.
      rig.send(
          TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1001, 3001, 2001).build(),
          TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1001, 4001, 2001).build());
      assertThat(rig.spans())
          .extracting(Span::getTraceId, Span::getSpanId)
          .containsExactly(tuple(TestSpans.bytes(7, 1), TestSpans.bytes(4001)));
    }
  }
}
