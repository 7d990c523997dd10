/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.store;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A shop of seven services that makes spans and log lines, five of each to a trace: one service
 * serves a request and calls the next, which asks a database and computes something.
 */
final class Shop {
  static final int SPANS_OF_A_TRACE = 5;
  static final int USERS = 100_000;

  private static final int SERVICES = 7;
  private static final int ROUTES = 50;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Resource> services = new ArrayList<>();
  private int turn;

  Shop() {
    for (int i = 0; i < SERVICES; i++) {
      services.add(
          Resource.newBuilder()
              .addAttributes(text("service.name", "service-" + i))
              .addAttributes(text("service.instance.id", "instance-" + i))
              .addAttributes(text("host.name", "shop"))
              .addAttributes(number("process.pid", 1000 + i))
              .build());
    }
  }

  /** The spans of so many traces and as many log lines, of which each names a span. */
  record Delivery(ExportTraceServiceRequest spans, ExportLogsServiceRequest lines) {}

  /**
   * Makes the next requests: those of a service and of the one that it calls.
   *
   * @param now nanoseconds since 1970
   */
  Delivery next(int traces, long now) {
    Resource caller = services.get(turn % SERVICES);
    Resource callee = services.get((turn + 1) % SERVICES);
    turn++;
    Told first = new Told(caller);
    Told second = new Told(callee);
    for (int i = 0; i < traces; i++) {
      ByteString trace = id(16);
      long start = now - random.nextLong(1_000_000_000);
      Span served = span(trace, ByteString.EMPTY, Span.SpanKind.SPAN_KIND_SERVER, start);
      Span calling = span(trace, served.getSpanId(), Span.SpanKind.SPAN_KIND_CLIENT, start);
      Span called = span(trace, calling.getSpanId(), Span.SpanKind.SPAN_KIND_SERVER, start);
      Span database =
          span(trace, called.getSpanId(), Span.SpanKind.SPAN_KIND_CLIENT, start).toBuilder()
              .addAttributes(text("db.system.name", "postgresql"))
              .build();
      Span computing = span(trace, called.getSpanId(), Span.SpanKind.SPAN_KIND_INTERNAL, start);
      first.add(served, line(served));
      first.add(calling, line(calling));
      second.add(called, line(called));
      second.add(database, line(database));
      second.add(computing, line(computing));
    }
    return new Delivery(
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(first.spans())
            .addResourceSpans(second.spans())
            .build(),
        ExportLogsServiceRequest.newBuilder()
            .addResourceLogs(first.lines())
            .addResourceLogs(second.lines())
            .build());
  }

  /** What a service has to say. */
  private record Told(Resource service, ScopeSpans.Builder traced, ScopeLogs.Builder logged) {
    Told(Resource service) {
      this(service, ScopeSpans.newBuilder(), ScopeLogs.newBuilder());
    }

    void add(Span span, LogRecord line) {
      traced.addSpans(span);
      logged.addLogRecords(line);
    }

    ResourceSpans spans() {
      return ResourceSpans.newBuilder().setResource(service).addScopeSpans(traced).build();
    }

    ResourceLogs lines() {
      return ResourceLogs.newBuilder().setResource(service).addScopeLogs(logged).build();
    }
  }

  private Span span(ByteString trace, ByteString parent, Span.SpanKind kind, long begin) {
    int route = random.nextInt(ROUTES);
    long start = begin + random.nextLong(10_000_000);
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(trace)
            .setSpanId(id(8))
            .setParentSpanId(parent)
            .setName("GET /api/thing/" + route)
            .setKind(kind)
            .setStartTimeUnixNano(start)
            .setEndTimeUnixNano(start + random.nextLong(100_000_000))
            .addAttributes(text("http.request.method", "GET"))
            .addAttributes(text("http.route", "/api/thing/" + route))
            .addAttributes(text("url.path", "/api/thing/" + random.nextInt(1000)))
            .addAttributes(text("server.address", "10.0.0." + random.nextInt(5)))
            .addAttributes(number("http.response.status_code", 200))
            .addAttributes(text("user.id", Integer.toString(random.nextInt(USERS))));
    if (random.nextInt(50) == 0) {
      span.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    }
    return span.build();
  }

  private LogRecord line(Span span) {
    return LogRecord.newBuilder()
        .setTimeUnixNano(span.getStartTimeUnixNano())
        .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_INFO)
        .setSeverityText("INFO")
        .setTraceId(span.getTraceId())
        .setSpanId(span.getSpanId())
        .setBody(
            AnyValue.newBuilder()
                .setStringValue(
                    "order " + random.nextInt() + " of user " + random.nextInt(USERS) + " is paid"))
        .addAttributes(number("thread.id", 1 + random.nextInt(50)))
        .addAttributes(text("thread.name", "worker-" + random.nextInt(50)))
        .addAttributes(text("logger.name", "shop.OrderService"))
        .build();
  }

  private ByteString id(int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return ByteString.copyFrom(bytes.flip());
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
}
