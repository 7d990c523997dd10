/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Batches;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.traffic.TraceIds;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The official classes read what is sent. */
class SpanRequestTest {
  private static final Resource SHOP =
      new Resource(
          "shop",
          Map.of(
              "service.name", AttributeValue.of("shop"),
              "sennit.span_source", AttributeValue.of("sdk")));
  private static final Resource STOCK =
      new Resource("stock", Map.of("service.name", AttributeValue.of("stock")));

  private final List<byte[]> sent = new ArrayList<>();
  private final Batches<Span> batches = new Batches<>(new SpanRequest()::of, sent::add);

  @Test
  void everyFieldArrives() throws InvalidProtocolBufferException {
    batches.accept(
        new Span(
            new TraceIds(0x0102030405060708L, 0x090a0b0c0d0e0f10L, 0x11, 0x12, 1),
            SpanKind.SERVER,
            "GET /",
            1_000,
            2_000,
            "http",
            SHOP,
            Map.of(
                "text", AttributeValue.of("ü"),
                "number", AttributeValue.of(-1),
                "flag", AttributeValue.of(true),
                "real", AttributeValue.of(0.5),
                "list", AttributeValue.ofStrings(List.of("a", ""))),
            "500",
            Link.NONE,
            new Ends(1, null, null),
            0,
            0));
    batches.flush();

    ResourceSpans resource = request(0).getResourceSpans(0);
    assertThat(resource.getResource().getAttributesList())
        .containsExactly(
            KeyValue.newBuilder().setKey("service.name").setValue(text("shop")).build());
    assertThat(resource.getScopeSpans(0).getScope().getName()).isEqualTo("dev.sennit.tracing");
    io.opentelemetry.proto.trace.v1.Span span = resource.getScopeSpans(0).getSpans(0);
    assertThat(span.getTraceId())
        .isEqualTo(
            ByteString.copyFrom(
                new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
    assertThat(span.getSpanId()).isEqualTo(id(0x11));
    assertThat(span.getParentSpanId()).isEqualTo(id(0x12));
    assertThat(span.getName()).isEqualTo("GET /");
    assertThat(span.getKind())
        .isEqualTo(io.opentelemetry.proto.trace.v1.Span.SpanKind.SPAN_KIND_SERVER);
    assertThat(span.getStartTimeUnixNano()).isEqualTo(1_000);
    assertThat(span.getEndTimeUnixNano()).isEqualTo(2_000);
    assertThat(span.getFlags()).isEqualTo(0x301);
    assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(span.getAttributesList())
        .extracting(KeyValue::getKey, KeyValue::getValue)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("text", text("ü")),
            org.assertj.core.groups.Tuple.tuple(
                "number", AnyValue.newBuilder().setIntValue(-1).build()),
            org.assertj.core.groups.Tuple.tuple(
                "flag", AnyValue.newBuilder().setBoolValue(true).build()),
            org.assertj.core.groups.Tuple.tuple(
                "real", AnyValue.newBuilder().setDoubleValue(0.5).build()),
            org.assertj.core.groups.Tuple.tuple(
                "list",
                AnyValue.newBuilder()
                    .setArrayValue(
                        io.opentelemetry.proto.common.v1.ArrayValue.newBuilder()
                            .addValues(text("a"))
                            .addValues(text("")))
                    .build()));
    assertThat(span.getUnknownFields().asMap()).isEmpty();
  }

  @Test
  void aRootHasNoParentAndACallNoRemoteOne() throws InvalidProtocolBufferException {
    batches.accept(span(SHOP, SpanKind.CLIENT, 0, null));
    batches.accept(span(SHOP, SpanKind.CLIENT, 5, null));
    batches.flush();

    List<io.opentelemetry.proto.trace.v1.Span> spans =
        request(0).getResourceSpans(0).getScopeSpans(0).getSpansList();
    assertThat(spans.get(0).getParentSpanId()).isEqualTo(ByteString.EMPTY);
    assertThat(spans.get(1).getParentSpanId()).isEqualTo(id(5));
    assertThat(spans).allMatch(each -> each.getFlags() == 0x101);
    assertThat(spans).allMatch(each -> !each.hasStatus());
  }

  @Test
  void aSpanSaysItsOwnEndAndHowItIsJoined() throws Exception {
    batches.accept(
        new Span(
            new TraceIds(1, 2, 3, 4, 1),
            SpanKind.CLIENT,
            "GET",
            1,
            2,
            "http",
            SHOP,
            Map.of(),
            null,
            Link.INJECTED,
            new Ends(
                1,
                new InetSocketAddress("10.0.0.1", 40_000),
                new InetSocketAddress("10.0.0.2", 80)),
            0,
            0));
    batches.flush();

    assertThat(request(0).getResourceSpans(0).getScopeSpans(0).getSpans(0).getAttributesList())
        .extracting(KeyValue::getKey, KeyValue::getValue)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("network.local.address", text("10.0.0.1")),
            org.assertj.core.groups.Tuple.tuple(
                "network.local.port", AnyValue.newBuilder().setIntValue(40_000).build()),
            org.assertj.core.groups.Tuple.tuple("sennit.link", text("injected")));
  }

  @Test
  void spansOfAProcessStandTogether() throws InvalidProtocolBufferException {
    batches.accept(span(SHOP, SpanKind.SERVER, 1, null));
    batches.accept(span(STOCK, SpanKind.SERVER, 2, null));
    batches.accept(span(SHOP, SpanKind.SERVER, 3, null));
    batches.flush();

    assertThat(request(0).getResourceSpansList())
        .extracting(each -> each.getScopeSpans(0).getSpansCount())
        .containsExactly(2, 1);
  }

  @Test
  void aFullBatchGoesOutByItselfAndAnEmptyOneNever() throws InvalidProtocolBufferException {
    batches.flush();
    for (int i = 0; i < 1_000; i++) {
      batches.accept(span(SHOP, SpanKind.SERVER, i, null));
    }
    assertThat(sent).hasSize(1);
    batches.flush();
    batches.flush();

    assertThat(sent).hasSize(2);
    assertThat(
            request(0).getResourceSpans(0).getScopeSpans(0).getSpansCount()
                + request(1).getResourceSpans(0).getScopeSpans(0).getSpansCount())
        .isEqualTo(1_000);
    assertThat(batches.count()).isEqualTo(1_000);
  }

  private ExportTraceServiceRequest request(int number) throws InvalidProtocolBufferException {
    return ExportTraceServiceRequest.parseFrom(sent.get(number));
  }

  private static Span span(
      Resource resource, SpanKind kind, long parent, @Nullable String errorType) {
    return new Span(
        new TraceIds(1, 2, 3, parent, 1),
        kind,
        "name",
        1,
        2,
        "http",
        resource,
        Map.of(),
        errorType,
        Link.NONE,
        new Ends(1, null, null),
        0,
        0);
  }

  private static AnyValue text(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }

  private static ByteString id(int last) {
    return ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) last});
  }
}
