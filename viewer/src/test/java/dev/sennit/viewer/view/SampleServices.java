/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.google.protobuf.ByteString;
import dev.sennit.store.TelemetryStore;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Services that call each other, as a store is told of them. */
final class SampleServices {
  private static final long MILLISECOND = 1_000_000;

  private final TelemetryStore store;
  private final Map<String, ScopeSpans.Builder> services = new LinkedHashMap<>();
  private static final AtomicLong LAST_ID = new AtomicLong();

  SampleServices(TelemetryStore store) {
    this.store = store;
  }

  /** A span that others can be below. */
  record Made(long trace, long id, String service, long start) {}

  /** A request to a service, which comes from outside. */
  Made request(String service, String name, long start, long millis) {
    return add(
        service,
        name,
        SpanKind.SPAN_KIND_SERVER,
        LAST_ID.incrementAndGet(),
        0,
        start,
        millis,
        false,
        "");
  }

  /** A call of one service by another, seen at both ends. */
  Made call(Made caller, String service, String name, long millis, boolean failed) {
    Made client =
        add(
            caller.service,
            "call " + service,
            SpanKind.SPAN_KIND_CLIENT,
            caller.trace,
            caller.id,
            caller.start,
            millis + 1,
            failed,
            service);
    return add(
        service,
        name,
        SpanKind.SPAN_KIND_SERVER,
        caller.trace,
        client.id,
        caller.start,
        millis,
        failed,
        "");
  }

  /** A call of something that tells nothing itself. */
  void callOutside(Made caller, String peer, String name, long millis, boolean failed) {
    add(
        caller.service,
        name,
        SpanKind.SPAN_KIND_CLIENT,
        caller.trace,
        caller.id,
        caller.start,
        millis,
        failed,
        peer);
  }

  private Made add(
      String service,
      String name,
      SpanKind kind,
      long trace,
      long parent,
      long start,
      long millis,
      boolean failed,
      String peer) {
    long id = LAST_ID.incrementAndGet();
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(bytes(7, trace))
            .setSpanId(bytes(id))
            .setName(name)
            .setKind(kind)
            .setStartTimeUnixNano(start)
            .setEndTimeUnixNano(start + millis * MILLISECOND);
    if (parent != 0) {
      span.setParentSpanId(bytes(parent));
    }
    if (failed) {
      span.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    }
    if (!peer.isEmpty()) {
      span.addAttributes(attribute("peer.service", peer));
    }
    services.computeIfAbsent(service, x -> ScopeSpans.newBuilder()).addSpans(span);
    return new Made(trace, id, service, start);
  }

  /** Sends all that was made, and waits until it can be read. */
  void send() throws InterruptedException {
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    services.forEach(
        (service, spans) ->
            request.addResourceSpans(
                ResourceSpans.newBuilder()
                    .setResource(
                        Resource.newBuilder()
                            .addAttributes(attribute("service.name", service))
                            .addAttributes(attribute("service.instance.id", "of " + service))
                            .addAttributes(attribute("host.name", "elsewhere")))
                    .addScopeSpans(spans)));
    store.traces(request.build());
    store.flush();
    services.clear();
  }

  private static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  private static ByteString bytes(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return ByteString.copyFrom(bytes.array());
  }
}
