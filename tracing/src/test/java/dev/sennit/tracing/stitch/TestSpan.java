/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** Spans for tests, in milliseconds since a moment of which nothing is known but that it is big. */
final class TestSpan {
  static final long EPOCH = 1_790_000_000_000_000_000L;

  private static final Ends UNSEEN = new Ends(0, null, null);

  private final SpanKind kind;
  private TraceIds ids;
  private long start = EPOCH;
  private long end = EPOCH;
  private String host = "a";
  private String protocol = "http";
  private Link link = Link.NONE;
  private Ends ends = UNSEEN;
  private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();

  private TestSpan(SpanKind kind, TraceIds ids) {
    this.kind = kind;
    this.ids = ids;
  }

  /** The root of a trace whose number is also its span's. */
  static TestSpan server(long trace) {
    return new TestSpan(SpanKind.SERVER, new TraceIds(7, trace, trace, 0, 1));
  }

  /** A call that the root of a trace makes. */
  static TestSpan client(long trace, long span) {
    return new TestSpan(SpanKind.CLIENT, new TraceIds(7, trace, span, trace, 1));
  }

  TestSpan root() {
    ids = new TraceIds(ids.traceHigh(), ids.traceLow(), ids.spanId(), 0, 1);
    return this;
  }

  TestSpan parent(long trace, long span) {
    ids = new TraceIds(ids.traceHigh(), trace, ids.spanId(), span, 1);
    return this;
  }

  TestSpan at(double startMillis, double endMillis) {
    start = time(startMillis);
    end = time(endMillis);
    return this;
  }

  static long time(double millis) {
    return EPOCH + (long) (millis * 1e6);
  }

  TestSpan on(String newHost) {
    host = newHost;
    return this;
  }

  TestSpan link(Link newLink) {
    link = newLink;
    return this;
  }

  TestSpan between(String client, int clientPort, String server, int serverPort) {
    ends =
        new Ends(
            1,
            new InetSocketAddress(client, clientPort),
            new InetSocketAddress(server, serverPort));
    return this;
  }

  /** Of one connection of which both sides see the same ends. */
  TestSpan connection(int number) {
    return between("10.0.0.1", 40_000 + number, "10.0.0.2", 8080);
  }

  TestSpan protocol(String name) {
    protocol = name;
    return this;
  }

  TestSpan with(String key, String value) {
    attributes.put(key, AttributeValue.of(value));
    return this;
  }

  Span make() {
    return new Span(
        ids,
        kind,
        "name",
        start,
        end,
        protocol,
        new Resource("service", Map.of("host.name", AttributeValue.of(host))),
        attributes,
        null,
        link,
        ends,
        0,
        0);
  }
}
