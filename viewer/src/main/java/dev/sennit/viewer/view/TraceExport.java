/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.google.protobuf.ByteString;
import dev.sennit.intake.Encoding;
import dev.sennit.store.query.ProcessInfo;
import dev.sennit.store.query.SpanDetail;
import dev.sennit.store.query.TraceDetail;
import dev.sennit.store.query.TraceDetail.PlacedSpan;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.viewer.web.Download;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A trace as a file of OTLP in JSON, which other tools can read. */
final class TraceExport implements Download {
  private static final int MOST = 100_000;

  private final TraceQueries traces;

  TraceExport(TraceQueries traces) {
    this.traces = traces;
  }

  @Override
  public String path() {
    return "traces/{id}/export";
  }

  @Override
  public Content content(Query query) throws IOException, ViewException {
    String id = TraceIds.trace(query);
    TraceDetail trace = traces.trace(id, MOST).orElseThrow(() -> TraceIds.missing(id));
    if (trace.spans().more()) {
      throw ViewException.wrong(
          "trace " + id + " has more than the " + MOST + " spans that a file may have");
    }
    return new Content(
        "trace-" + id + ".json", "application/json", Encoding.JSON.write(message(trace)));
  }

  private static TracesData message(TraceDetail trace) throws IOException {
    Map<Long, Map<String, ScopeSpans.Builder>> byProcess = new LinkedHashMap<>();
    for (PlacedSpan placed : trace.spans().items()) {
      SpanDetail span = placed.span();
      String scope = Optional.ofNullable(span.scope()).orElse("");
      byProcess
          .computeIfAbsent(span.processId(), fresh -> new LinkedHashMap<>())
          .computeIfAbsent(scope, TraceExport::scope)
          .addSpans(span(trace.traceId(), span));
    }
    Map<Long, Resource> resources = new HashMap<>();
    for (ProcessInfo process : trace.processes()) {
      resources.put(
          process.processId(),
          Resource.newBuilder().addAllAttributes(AttributeMessages.of(process.resource())).build());
    }
    TracesData.Builder data = TracesData.newBuilder();
    byProcess.forEach(
        (process, scopes) -> {
          ResourceSpans.Builder of =
              data.addResourceSpansBuilder()
                  .setResource(resources.getOrDefault(process, Resource.getDefaultInstance()));
          scopes.values().forEach(of::addScopeSpans);
        });
    return data.build();
  }

  private static ScopeSpans.Builder scope(String name) {
    return ScopeSpans.newBuilder().setScope(InstrumentationScope.newBuilder().setName(name));
  }

  private static Span span(String traceId, SpanDetail span) throws IOException {
    Span.Builder message =
        Span.newBuilder()
            .setTraceId(id(traceId))
            .setSpanId(id(span.spanId()))
            .setParentSpanId(id(Optional.ofNullable(span.parentSpanId()).orElse("")))
            .setTraceState(Optional.ofNullable(span.traceState()).orElse(""))
            .setName(span.name())
            .setKind(Span.SpanKind.valueOf("SPAN_KIND_" + span.kind()))
            .setStartTimeUnixNano(span.start())
            .setEndTimeUnixNano(span.start() + span.duration())
            .addAllAttributes(AttributeMessages.of(span.attributes()));
    for (SpanDetail.Event event : span.events()) {
      message
          .addEventsBuilder()
          .setTimeUnixNano(event.time())
          .setName(event.name())
          .addAllAttributes(AttributeMessages.of(event.attributes()));
    }
    for (SpanDetail.Link link : span.links()) {
      message
          .addLinksBuilder()
          .setTraceId(id(link.traceId()))
          .setSpanId(id(link.spanId()))
          .addAllAttributes(AttributeMessages.of(link.attributes()));
    }
    if (!span.status().equals("UNSET") || span.statusMessage() != null) {
      message.setStatus(
          Status.newBuilder()
              .setCode(Status.StatusCode.valueOf("STATUS_CODE_" + span.status()))
              .setMessage(Optional.ofNullable(span.statusMessage()).orElse("")));
    }
    return message.build();
  }

  private static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }
}
