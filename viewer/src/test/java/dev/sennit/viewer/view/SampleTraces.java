/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.google.protobuf.ByteString;
import dev.sennit.store.TelemetryStore;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
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
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Traces of a small shop, sent to a store as its services would. */
final class SampleTraces {
  static final long MILLI = 1_000_000;
  static final String HOSTILE =
      "<script>window.broken = true</script> \u202Etxt.exe\u202C " + "x".repeat(10_000);

  private final Map<String, ScopeSpans.Builder> spans = new LinkedHashMap<>();
  private final Map<String, ScopeLogs.Builder> lines = new LinkedHashMap<>();
  private int lastSpan;

  static String trace(long number) {
    return String.format("%032x", number);
  }

  static String span(long number) {
    return String.format("%016x", number);
  }

  static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  static KeyValue attribute(String key, long value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setIntValue(value))
        .build();
  }

  /** A span whose number, in the order of adding, is its id; without a parent if that is 0. */
  Span.Builder add(long trace, String service, String name, int parent, long start, long duration) {
    lastSpan++;
    Span.Builder span =
        spans
            .computeIfAbsent(service, fresh -> ScopeSpans.newBuilder())
            .setScope(InstrumentationScope.newBuilder().setName("shop"))
            .addSpansBuilder()
            .setTraceId(bytes(trace(trace)))
            .setSpanId(bytes(span(lastSpan)))
            .setName(name)
            .setKind(parent == 0 ? Span.SpanKind.SPAN_KIND_SERVER : Span.SpanKind.SPAN_KIND_CLIENT)
            .setStartTimeUnixNano(start)
            .setEndTimeUnixNano(start + duration);
    return parent == 0 ? span : span.setParentSpanId(bytes(span(parent)));
  }

  int last() {
    return lastSpan;
  }

  LogRecord.Builder line(long trace, int span, String service, long time, String body) {
    return lines
        .computeIfAbsent(service, fresh -> ScopeLogs.newBuilder())
        .addLogRecordsBuilder()
        .setTraceId(bytes(trace(trace)))
        .setSpanId(bytes(span(span)))
        .setTimeUnixNano(time)
        .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_INFO)
        .setSeverityText("INFO")
        .setBody(AnyValue.newBuilder().setStringValue(body));
  }

  /** Requests through a gateway, the last of them at that time; every seventh fails. */
  void addRequests(int count, long until) {
    Random random = new Random(42);
    String[] operations = {"GET /cart", "GET /products/{id}", "POST /orders", "GET /search"};
    for (int i = 0; i < count; i++) {
      long trace = 0x1000L + i;
      long start = until - (count - i) * 1500L * MILLI - random.nextInt(1000) * MILLI;
      long total = (long) (Math.exp(random.nextGaussian() * 0.9 + 3.4) * MILLI);
      boolean failed = i % 7 == 3;
      Span.Builder root =
          add(trace, "gateway", operations[random.nextInt(4)], 0, start, total)
              .addAttributes(attribute("http.request.method", "GET"))
              .addAttributes(attribute("http.response.status_code", failed ? 500 : 200));
      int parent = last();
      if (failed) {
        root.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
      }
      add(trace, "orders", "load", parent, start + total / 10, total * 6 / 10)
          .addAttributes(attribute("customer", "user-" + i % 10));
      add(trace, "prices", "SELECT prices", last(), start + total / 5, total / 4)
          .addAttributes(attribute("db.system.name", "postgresql"));
    }
  }

  /**
   * An order with all that a trace can have: a chain over four services, calls beside each other, a
   * failure with an event, something asynchronous that goes on, and log lines.
   */
  void addOrder(long trace, long at) {
    add(trace, "gateway", "POST /orders", 0, at, 182 * MILLI)
        .addAttributes(attribute("http.request.method", "POST"))
        .addAttributes(attribute("url.path", "/orders"))
        .addAttributes(attribute("big", Long.MAX_VALUE));
    int root = last();
    line(trace, root, "gateway", at + MILLI, "order of user-7 arrived");
    add(trace, "gateway", "authenticate", root, at + 2 * MILLI, 9 * MILLI);
    add(trace, "gateway", "POST", root, at + 14 * MILLI, 160 * MILLI);
    int call = last();
    add(trace, "orders", "POST /orders", call, at + 17 * MILLI, 152 * MILLI)
        .setKind(Span.SpanKind.SPAN_KIND_SERVER);
    int orders = last();
    line(trace, orders, "orders", at + 20 * MILLI, "3 items, checking stock and prices");
    line(trace, orders, "orders", at + 108 * MILLI, "card was declined, trying the other one")
        .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_WARN)
        .setSeverityText("WARN");
    add(trace, "orders", "validate", orders, at + 19 * MILLI, 6 * MILLI);
    add(trace, "orders", "GET /prices", orders, at + 27 * MILLI, 38 * MILLI);
    int prices = last();
    add(trace, "prices", "GET /prices", prices, at + 29 * MILLI, 33 * MILLI)
        .setKind(Span.SpanKind.SPAN_KIND_SERVER);
    add(trace, "prices", "SELECT prices", last(), at + 31 * MILLI, 24 * MILLI)
        .addAttributes(attribute("db.system.name", "postgresql"))
        .addAttributes(attribute("db.query.text", "SELECT price FROM prices WHERE item IN (?)"));
    add(trace, "orders", "GET /stock", orders, at + 28 * MILLI, 55 * MILLI);
    add(trace, "stock", "GET /stock", last(), at + 30 * MILLI, 50 * MILLI)
        .setKind(Span.SpanKind.SPAN_KIND_SERVER);
    add(trace, "orders", "charge", orders, at + 88 * MILLI, 62 * MILLI);
    int charge = last();
    Span.Builder failed =
        add(trace, "payments", "POST /charge", charge, at + 91 * MILLI, 16 * MILLI)
            .setKind(Span.SpanKind.SPAN_KIND_SERVER)
            .setStatus(
                Status.newBuilder()
                    .setCode(Status.StatusCode.STATUS_CODE_ERROR)
                    .setMessage("card declined"));
    failed
        .addEventsBuilder()
        .setTimeUnixNano(at + 104 * MILLI)
        .setName("exception")
        .addAttributes(attribute("exception.type", "CardDeclinedException"));
    failed
        .addLinksBuilder()
        .setTraceId(bytes(trace(0x1000)))
        .setSpanId(bytes(span(1)))
        .addAttributes(attribute("reason", "retry"));
    line(trace, last(), "payments", at + 103 * MILLI, "declined: insufficient funds")
        .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_ERROR)
        .setSeverityText("ERROR");
    add(trace, "payments", "POST /charge", charge, at + 112 * MILLI, 33 * MILLI)
        .setKind(Span.SpanKind.SPAN_KIND_SERVER);
    add(trace, "orders", "INSERT order", orders, at + 152 * MILLI, 11 * MILLI);
    add(trace, "mail", "send confirmation", orders, at + 165 * MILLI, 70 * MILLI)
        .setKind(Span.SpanKind.SPAN_KIND_CONSUMER);
  }

  /** One trace whose names want to be more than text. */
  void addHostile(long trace, long at) {
    add(trace, HOSTILE, HOSTILE, 0, at, 20 * MILLI)
        .addAttributes(attribute(HOSTILE, HOSTILE))
        .setStatus(
            Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR).setMessage(HOSTILE))
        .addEventsBuilder()
        .setTimeUnixNano(at + MILLI)
        .setName(HOSTILE);
    line(trace, last(), HOSTILE, at + MILLI, HOSTILE);
    add(trace, "plain", "plain", last(), at + 5 * MILLI, 10 * MILLI);
  }

  /** A tree of so many spans, deep and wide. */
  void addLarge(long trace, long at, int count) {
    Random random = new Random(7);
    add(trace, "gateway", "batch", 0, at, 20_000 * MILLI);
    int first = last();
    for (int i = 1; i < count; i++) {
      int parent = first + (i < 40 ? i - 1 : Math.max(0, i - 1 - random.nextInt(60)));
      long start = i * 19_000L * MILLI / count;
      Span.Builder span =
          add(
              trace,
              "service-" + i % 6,
              "step " + i % 50,
              parent,
              at + start,
              (1 + random.nextInt(400)) * MILLI);
      if (i % 97 == 0) {
        span.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
      }
      if (i % 10 == 0) {
        span.addEventsBuilder().setName("event").setTimeUnixNano(at + start + MILLI);
        line(trace, last(), "gateway", at + start + MILLI / 2, "line " + i);
      }
    }
  }

  void sendTo(TelemetryStore store) throws InterruptedException {
    ExportTraceServiceRequest.Builder traces = ExportTraceServiceRequest.newBuilder();
    spans.forEach(
        (service, scope) ->
            traces.addResourceSpans(
                ResourceSpans.newBuilder().setResource(resource(service)).addScopeSpans(scope)));
    store.traces(traces.build());
    ExportLogsServiceRequest.Builder logs = ExportLogsServiceRequest.newBuilder();
    lines.forEach(
        (service, scope) ->
            logs.addResourceLogs(
                ResourceLogs.newBuilder().setResource(resource(service)).addScopeLogs(scope)));
    store.logs(logs.build());
    store.flush();
  }

  static Resource resource(String service) {
    return Resource.newBuilder()
        .addAttributes(attribute("host.name", "here"))
        .addAttributes(attribute("process.pid", 4711))
        .addAttributes(attribute("service.name", service))
        .build();
  }
}
