/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/** Spans as observers on two hosts would make them of one connection. */
final class TestSpans {
  static final String CALLER = "10.0.0.1";
  static final String CALLED = "10.0.0.2";

  private TestSpans() {}

  static Span.Builder span(SpanKind kind, long trace, long id, long parent) {
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(bytes(7, trace))
            .setSpanId(bytes(id))
            .setKind(kind)
            .setName("GET");
    return parent == 0 ? span : span.setParentSpanId(bytes(parent));
  }

  /** A call that takes two milliseconds longer than what it calls. */
  static Span.Builder client(long trace, long id, long parent, Instant end, int port) {
    return ends(
        at(span(SpanKind.SPAN_KIND_CLIENT, trace, id, parent), end, 12), CALLER, port, CALLED, 80);
  }

  static Span.Builder server(long trace, long id, Instant end, int port) {
    return ends(
        at(span(SpanKind.SPAN_KIND_SERVER, trace, id, 0), end.minusMillis(1), 10),
        CALLED,
        80,
        CALLER,
        port);
  }

  private static Span.Builder at(Span.Builder span, Instant end, long milliseconds) {
    long nanos = end.toEpochMilli() * 1_000_000;
    return span.setStartTimeUnixNano(nanos - milliseconds * 1_000_000).setEndTimeUnixNano(nanos);
  }

  static Span.Builder ends(Span.Builder span, String own, int ownPort, String peer, int peerPort) {
    return span.addAttributes(text("network.local.address", own))
        .addAttributes(number("network.local.port", ownPort))
        .addAttributes(text("network.peer.address", peer))
        .addAttributes(number("network.peer.port", peerPort));
  }

  static ExportTraceServiceRequest request(String host, Span... spans) {
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(
            ResourceSpans.newBuilder()
                .setResource(Resource.newBuilder().addAttributes(text("host.name", host)))
                .setSchemaUrl("https://opentelemetry.io/schemas/1.44.0")
                .addScopeSpans(
                    ScopeSpans.newBuilder()
                        .setScope(InstrumentationScope.newBuilder().setName("test"))
                        .addAllSpans(List.of(spans))))
        .build();
  }

  static KeyValue text(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  static KeyValue number(String key, long value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setIntValue(value))
        .build();
  }

  static ByteString bytes(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    for (long value : values) {
      bytes.putLong(value);
    }
    return ByteString.copyFrom(bytes.flip());
  }
}
