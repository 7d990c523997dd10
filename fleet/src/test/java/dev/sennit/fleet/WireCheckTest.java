/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the walk over a request lets pass, protobuf's own reader can read. */
class WireCheckTest {
  private final WireCheck check = new WireCheck(ExportTraceServiceRequest.getDescriptor());

  private static Span rich() {
    return TestSpans.server(2, 20, Instant.ofEpochSecond(1_790_000_000), 40_000)
        .setName("größer als ☃")
        .setTraceState("a=b")
        .addAttributes(attribute("list", nested(5)))
        .addEvents(
            Span.Event.newBuilder()
                .setName("event")
                .setTimeUnixNano(5)
                .addAttributes(TestSpans.text("why", "ключ")))
        .addLinks(Span.Link.newBuilder().setSpanId(TestSpans.bytes(99)).setTraceState("c=d"))
        .setStatus(Status.newBuilder().setMessage("not found"))
        .build();
  }

  private static KeyValue attribute(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static AnyValue nested(int depth) {
    AnyValue inner =
        depth == 0
            ? AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[] {-1, 0})).build()
            : nested(depth - 1);
    return depth % 2 == 0
        ? AnyValue.newBuilder().setArrayValue(ArrayValue.newBuilder().addValues(inner)).build()
        : AnyValue.newBuilder()
            .setKvlistValue(KeyValueList.newBuilder().addValues(attribute("k", inner)))
            .build();
  }

  private static byte[] request(Span... spans) {
    return TestSpans.request("host-1", spans).toByteArray();
  }

  @Test
  void whatIsRightPasses() {
    assertThat(check.isReadable(request(rich()))).isTrue();
    assertThat(check.isReadable(new byte[0])).isTrue();
    Span unknown =
        rich().toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        4711,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[] {-1, -1}))
                            .addFixed32(7)
                            .addVarint(-1)
                            .build())
                    .build())
            .build();
    assertThat(check.isReadable(request(unknown))).isTrue();
  }

  @Test
  void whatIsNestedVeryDeeplyIsLeftToTheReader() {
    Span deep = rich().toBuilder().addAttributes(attribute("deep", nested(60))).build();
    assertThat(check.isReadable(request(deep))).isFalse();
  }

  @Test
  void textThatIsNoneDoesNotPass() {
    byte[] bytes = request(TestSpans.span(SpanKind.SPAN_KIND_INTERNAL, 1, 10, 0).build());
    int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("GET");
    bytes[name] = (byte) 0xFF;
    assertThat(check.isReadable(bytes)).isFalse();
  }

  @Test
  void whatPassesCanBeRead() {
    Random random = new Random(42);
    byte[] right = request(rich(), rich());
    int passed = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] damaged =
          random.nextInt(10) == 0
              ? Arrays.copyOf(right, random.nextInt(right.length))
              : right.clone();
      for (int changes = random.nextInt(3); changes >= 0 && damaged.length > 0; changes--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      if (check.isReadable(damaged)) {
        passed++;
        assertThatCode(() -> ExportTraceServiceRequest.parseFrom(damaged))
            .as("%s", Arrays.toString(damaged))
            .doesNotThrowAnyException();
      }
    }
    assertThat(passed).isBetween(20_000, 180_000);
  }
}
