/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.Otlp;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.TestStore;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Traces of a few services, of which a test can say itself what a question must answer. */
final class GeneratedSpans {
  static final long BEGIN = 1_700_000_000_000_000_000L;
  static final long SECOND = 1_000_000_000L;
  static final int TRACES = 300;

  /** A span as it was sent. */
  record Sent(
      String traceId,
      String spanId,
      @Nullable String parentId,
      String service,
      String name,
      String kind,
      long start,
      long duration,
      boolean failed,
      String user,
      @Nullable String database) {
    boolean isRequest() {
      return kind.equals("SERVER") || parentId == null;
    }

    long end() {
      return start + duration;
    }
  }

  private final Random random = new Random(7);
  private final List<Sent> spans = new ArrayList<>();
  private long nextSpan = 1;

  private GeneratedSpans() {}

  /** Makes the spans and sends them; some of them twice. */
  static List<Sent> sendTo(TelemetryStore store) throws InterruptedException {
    GeneratedSpans generated = new GeneratedSpans();
    for (int i = 0; i < TRACES; i++) {
      generated.addTrace(i);
    }
    for (String service : List.of("gateway", "orders", "prices")) {
      List<Span> own =
          generated.spans.stream()
              .filter(span -> span.service.equals(service))
              .map(GeneratedSpans::message)
              .toList();
      TestStore.settle(
          store,
          store.traces(Otlp.traces(service, own)),
          store.traces(Otlp.traces(service, own.subList(0, 10))));
    }
    return generated.spans;
  }

  private void addTrace(int number) {
    String trace = Otlp.trace(1000 + number);
    long start = BEGIN + number * SECOND / 5 + random.nextInt(1000);
    Sent gateway = add(trace, null, "gateway", "GET /" + number % 4, "SERVER", start);
    Sent call = add(trace, gateway, "gateway", "POST", "CLIENT", start + 1000);
    Sent order = add(trace, call, "orders", "POST /order", "SERVER", start + 2000);
    if (number % 3 == 0) {
      add(trace, order, "prices", "price", "SERVER", start + 3000);
    }
    if (number % 2 == 0) {
      add(trace, order, "orders", "SELECT", "CLIENT", start + 4000);
    }
  }

  private Sent add(
      String trace, @Nullable Sent parent, String service, String name, String kind, long start) {
    Sent span =
        new Sent(
            trace,
            Otlp.span(nextSpan++),
            parent == null ? null : parent.spanId,
            service,
            name,
            kind,
            start,
            1 + random.nextInt(1_000_000),
            random.nextInt(10) == 0,
            "user-" + random.nextInt(20),
            name.equals("SELECT") ? "postgresql" : null);
    spans.add(span);
    return span;
  }

  private static Span message(Sent sent) {
    Span.Builder span =
        Otlp.span(sent.traceId, sent.spanId, sent.name)
            .setKind(
                sent.kind.equals("SERVER")
                    ? Span.SpanKind.SPAN_KIND_SERVER
                    : Span.SpanKind.SPAN_KIND_CLIENT)
            .setStartTimeUnixNano(sent.start)
            .setEndTimeUnixNano(sent.end())
            .addAttributes(Otlp.attribute("user/id~x", sent.user));
    if (sent.parentId != null) {
      span.setParentSpanId(Otlp.id(sent.parentId));
    }
    if (sent.database != null) {
      span.addAttributes(Otlp.attribute("db.system.name", sent.database));
    }
    if (sent.failed) {
      span.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    }
    return span.build();
  }
}
