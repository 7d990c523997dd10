/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Takes spans, lines and metrics by HTTP and decodes them with the official classes. Any other
 * request is answered, too.
 */
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
  private final List<Metric> metrics = new CopyOnWriteArrayList<>();

  private Collector(HttpServer server) {
    this.server = server;
  }

  /** Listens at a port, or at any that is free if that is 0. */
  static Collector start(int port) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
    Collector collector = new Collector(server);
    server.createContext("/", collector::take);
    server.start();
    return collector;
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    switch (exchange.getRequestURI().getPath()) {
      case "/v1/traces" ->
          ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
              .flatMap(each -> each.getScopeSpansList().stream())
              .forEach(each -> spans.addAll(each.getSpansList()));
      case "/v1/logs" ->
          ExportLogsServiceRequest.parseFrom(body).getResourceLogsList().stream()
              .flatMap(each -> each.getScopeLogsList().stream())
              .forEach(each -> lines.addAll(each.getLogRecordsList()));
      case "/v1/metrics" ->
          ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
              .flatMap(each -> each.getScopeMetricsList().stream())
              .forEach(each -> metrics.addAll(each.getMetricsList()));
      default -> {}
    }
    exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  /** All that have come. */
  List<Span> spans() {
    return List.copyOf(spans);
  }

  List<Span> spans(Span.SpanKind kind) {
    return spans.stream().filter(span -> span.getKind() == kind).toList();
  }

  /** Those with an attribute that ends so. */
  List<Span> spans(String key, String ending) {
    return spans.stream()
        .filter(
            span ->
                span.getAttributesList().stream()
                    .anyMatch(
                        each ->
                            each.getKey().equals(key)
                                && each.getValue().getStringValue().endsWith(ending)))
        .toList();
  }

  /** The line that is about something. */
  LogRecord line(String about) {
    return lines.stream()
        .filter(line -> line.toString().contains(about))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line about " + about + ": " + lines));
  }

  /** What a counter had come to for one value of its attribute when it was last sent. */
  long lastSum(String metric, String value) {
    return metrics.reversed().stream()
        .filter(each -> each.getName().equals(metric))
        .findFirst()
        .orElseThrow()
        .getSum()
        .getDataPointsList()
        .stream()
        .filter(point -> point.getAttributes(0).getValue().getStringValue().equals(value))
        .mapToLong(NumberDataPoint::getAsInt)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
