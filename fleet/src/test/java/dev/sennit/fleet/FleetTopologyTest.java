/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.sennit.intake.Encoding;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of spans, without a broker and with a clock that the test moves. */
class FleetTopologyTest {
  private static final int PORT = 40_000;
  private static final Duration LONG = TopologyRig.WINDOW.plus(TopologyRig.GRACE).multipliedBy(3);

  @TempDir private Path folder;
  private TopologyRig rig;

  @BeforeEach
  void start() {
    rig = new TopologyRig(folder, Long.MAX_VALUE);
  }

  @AfterEach
  void end() {
    rig.close();
  }

  @Test
  void aServersTraceIsJoinedToTheCallThatItAnswers() throws IOException {
    Span server = TestSpans.server(2, 20, rig.now(), PORT).build();
    Span below = TestSpans.client(2, 21, 20, rig.now(), 50_000).build();
    rig.send(below, server);
    assertThat(rig.spans()).isEmpty();
    Span client = TestSpans.client(1, 10, 0, rig.now(), PORT).build();
    rig.send(client);
    assertThat(rig.spans()).containsExactly(client);

    rig.pass(LONG);
    assertThat(rig.spans())
        .containsExactlyInAnyOrder(
            server.toBuilder()
                .setTraceId(client.getTraceId())
                .setParentSpanId(client.getSpanId())
                .setFlags(0x300)
                .build(),
            below.toBuilder().setTraceId(client.getTraceId()).build());
  }

  @Test
  void aChainOfTracesGetsTheNameOfItsFirst() throws IOException {
    rig.send(TestSpans.server(3, 30, rig.now(), 40_002).build());
    rig.send(
        TestSpans.client(2, 21, 20, rig.now(), 40_002).build(),
        TestSpans.server(2, 20, rig.now(), 40_001).build());
    rig.send(TestSpans.client(1, 11, 10, rig.now(), 40_001).build());
    rig.send(TestSpans.span(SpanKind.SPAN_KIND_SERVER, 1, 10, 0).build());
    rig.pass(LONG);

    List<Span> spans = rig.spans();
    assertThat(spans).hasSize(5);
    assertThat(spans).extracting(Span::getTraceId).containsOnly(TestSpans.bytes(7, 1));
    assertThat(spans)
        .filteredOn(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
        .extracting(Span::getSpanId, Span::getParentSpanId)
        .contains(
            org.assertj.core.groups.Tuple.tuple(TestSpans.bytes(30), TestSpans.bytes(21)),
            org.assertj.core.groups.Tuple.tuple(TestSpans.bytes(20), TestSpans.bytes(11)));
  }

  @Test
  void whatComesLaterWithinTheRetentionGetsTheNewName() throws IOException {
    rig.send(TestSpans.server(2, 20, rig.now(), PORT).build());
    rig.send(TestSpans.client(1, 10, 0, rig.now(), PORT).build());
    rig.pass(TopologyRig.RETENTION.minus(Duration.ofSeconds(30)));
    rig.spans();
    rig.send(TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 2, 25, 20).build());

    assertThat(rig.spans())
        .extracting(Span::getTraceId, Span::getParentSpanId)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(TestSpans.bytes(7, 1), TestSpans.bytes(20)));
  }

  @Test
  void aCallThatComesWithinTheGraceIsNotTooLate() throws IOException {
    Span client = TestSpans.client(1, 10, 0, rig.now(), PORT).build();
    rig.send(TestSpans.server(2, 20, rig.now(), PORT).build());
    rig.pass(TopologyRig.GRACE.minus(Duration.ofSeconds(1)));
    rig.send(client);
    rig.pass(LONG);

    assertThat(rig.spans()).extracting(Span::getTraceId).containsOnly(client.getTraceId());
    assertThat(rig.counters.get(FleetCount.JOINED)).isEqualTo(1);
  }

  @Test
  void aServerSpanWhoseCallerNobodySawGoesOutUnchangedAfterWindowAndGrace() throws IOException {
    Span server = TestSpans.server(2, 20, rig.now(), PORT).build();
    rig.send(server);
    rig.pass(TopologyRig.GRACE);
    assertThat(rig.spans()).isEmpty();
    rig.pass(LONG);
    assertThat(rig.spans()).containsExactly(server);
  }

  @Test
  void theServersAddressMayBeTranslatedOnTheWay() throws IOException {
    for (int i = 0; i < 20; i++) {
      Span client =
          TestSpans.client(100 + i, 1000 + i, 0, rig.now(), PORT)
              .setAttributes(2, TestSpans.text("network.peer.address", "10.96.0.1"))
              .build();
      rig.send(TestSpans.server(200 + i, 2000 + i, rig.now(), PORT).build());
      rig.send(client);
      rig.pass(Duration.ofMillis(250));
    }
    rig.pass(LONG);
    assertThat(rig.counters.get(FleetCount.JOINED)).isGreaterThan(15);
  }

  @Test
  void ipv4InsideOfIpv6IsTheSameEnd() throws IOException {
    Span client =
        TestSpans.client(1, 10, 0, rig.now(), PORT)
            .setAttributes(0, TestSpans.text("network.local.address", "::ffff:10.0.0.1"))
            .build();
    rig.send(TestSpans.server(2, 20, rig.now(), PORT).build());
    rig.send(client);
    rig.pass(LONG);
    assertThat(rig.counters.get(FleetCount.JOINED)).isEqualTo(1);
  }

  @Test
  void tracesOfOtherRootsPassAtOnceAndUnchanged() throws IOException {
    Span root = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build();
    Span inner = TestSpans.span(SpanKind.SPAN_KIND_CLIENT, 1, 11, 10).build();
    Span consumer = TestSpans.span(SpanKind.SPAN_KIND_CONSUMER, 3, 30, 0).build();
    rig.send(root, inner, consumer);
    assertThat(rig.spans()).containsExactlyInAnyOrder(root, inner, consumer);
  }

  @Test
  void whatHasNoRootWaitsForItNoLongerThanWindowAndGrace() throws IOException {
    Span orphan = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 11, 10).build();
    rig.send(orphan);
    rig.pass(TopologyRig.GRACE);
    assertThat(rig.spans()).isEmpty();
    rig.pass(LONG);
    assertThat(rig.spans()).containsExactly(orphan);
    assertThat(rig.counters.get(FleetCount.WITHOUT_ROOT)).isEqualTo(1);
  }

  @Test
  void aSpanThatComesTwiceGoesOutOnce() throws IOException {
    Span root = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build();
    rig.send(root);
    rig.send(root);
    assertThat(rig.spans()).containsExactly(root);
    assertThat(rig.counters.get(FleetCount.DUPLICATES)).isEqualTo(1);
  }

  @Test
  void everythingThatASpanCameWithIsStillThere() throws IOException {
    Span rich =
        TestSpans.server(2, 20, rig.now(), PORT)
            .setTraceState("a=b")
            .addEvents(Span.Event.newBuilder().setName("event").setTimeUnixNano(5))
            .addLinks(Span.Link.newBuilder().setSpanId(TestSpans.bytes(99)))
            .setDroppedAttributesCount(3)
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        4711,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(TestSpans.bytes(1))
                            .build())
                    .build())
            .build();
    ExportTraceServiceRequest request = TestSpans.request("host-9", rich);
    rig.send(Encoding.PROTOBUF.write(request));
    rig.pass(LONG);

    List<byte[]> values = rig.values();
    assertThat(values).hasSize(1);
    assertThat(ExportTraceServiceRequest.parseFrom(values.getFirst())).isEqualTo(request);
  }

  @Test
  void aRequestGoesOutInTheEncodingInWhichItCame() throws IOException {
    ExportTraceServiceRequest request =
        TestSpans.request("host-1", TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build());
    rig.send(Encoding.JSON.write(request));
    byte[] value = rig.values().getFirst();
    assertThat(Encoding.of(value)).isEqualTo(Encoding.JSON);
    assertThat(Encoding.JSON.read(value, ExportTraceServiceRequest.getDefaultInstance()))
        .isEqualTo(request);
  }

  @Test
  void aHostWhoseClockIsFarAheadHoldsNobodyUp() throws IOException {
    Span future = TestSpans.server(9, 90, rig.now().plusSeconds(3600), PORT).build();
    rig.send(future);
    assertThat(rig.spans()).containsExactly(future);

    rig.send(TestSpans.server(2, 20, rig.now(), 40_001).build());
    rig.send(TestSpans.client(1, 10, 0, rig.now(), 40_001).build());
    rig.pass(LONG);
    assertThat(rig.counters.get(FleetCount.JOINED)).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadIsADeadLetterThatSaysWhy() throws IOException {
    byte[] torn = {10, 50, 1, 2, 3};
    rig.send(torn);
    rig.send(new byte[0]);
    rig.send("[{\"traceId\":\"1\"}]".getBytes(StandardCharsets.UTF_8));
    rig.send("{\"resourceSpans\": 7}".getBytes(StandardCharsets.UTF_8));
    rig.send("{\"resourceLogs\": []}".getBytes(StandardCharsets.UTF_8));
    rig.send(new byte[RecordSplitter.LARGEST_RECORD + 1]);
    Span good = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build();
    rig.send(good);

    List<TestRecord<byte[], byte[]>> dead = rig.dead();
    assertThat(dead).extracting(FleetTopologyTest::reason).doesNotContain("").hasSize(6);
    assertThat(dead.get(0).value()).isEqualTo(torn);
    assertThat(reason(dead.get(1))).isEqualTo("the record is empty");
    assertThat(reason(dead.get(3))).startsWith("not OTLP JSON: at /resourceSpans");
    assertThat(reason(dead.get(4))).startsWith("no span is in it");
    assertThat(reason(dead.get(5))).contains("16777217 bytes");
    assertThat(dead.get(5).value()).hasSize(DeadLetters.LARGEST);
    assertThat(header(dead.get(3), DeadLetters.TOPIC)).isEqualTo("in");
    assertThat(header(dead.get(3), DeadLetters.OFFSET)).isEqualTo("3");
    assertThat(rig.spans()).containsExactly(good);
  }

  @Test
  void aSpanThatCannotBeSentDoesNotTakeOthersWithIt() throws IOException {
    Span good = TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build();
    Span nameless = good.toBuilder().setTraceId(TestSpans.bytes(1)).build();
    Span huge =
        good.toBuilder()
            .setSpanId(TestSpans.bytes(11))
            .setName("x".repeat(RecordSplitter.LARGEST_SPAN))
            .build();
    rig.send(nameless, good, huge);

    assertThat(rig.spans()).containsExactly(good);
    assertThat(rig.dead())
        .extracting(FleetTopologyTest::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).contains("a trace id of 8 bytes"),
            reason -> assertThat(reason).contains(" bytes with its resource"));
  }

  private static String reason(TestRecord<byte[], byte[]> record) {
    return header(record, DeadLetters.REASON);
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
