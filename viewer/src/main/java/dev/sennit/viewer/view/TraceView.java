/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogLine;
import dev.sennit.store.query.SpanDetail;
import dev.sennit.store.query.TraceDetail;
import dev.sennit.store.query.TraceDetail.PlacedSpan;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole trace as it is drawn: where its spans lie, and when there were events and log lines. What
 * else is known of a span is asked for when somebody looks at it.
 */
final class TraceView implements View {
  private static final int USUAL = 20_000;
  private static final int MOST = 50_000;
  private static final int MOST_EVENTS = 20_000;

  private final TraceQueries traces;

  TraceView(TraceQueries traces) {
    this.traces = traces;
  }

  @Override
  public String path() {
    return "traces/{id}";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    String id = TraceIds.trace(query);
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    TraceDetail trace = traces.trace(id, limit).orElseThrow(() -> TraceIds.missing(id));
    List<PlacedSpan> spans = trace.spans().items();
    out.writeStartObject();
    out.writeStringField("id", trace.traceId());
    Moments.write(out, "start", trace.start());
    out.writeNumberField("duration", trace.duration());
    spans(trace, out);
    out.writeBooleanField("more", trace.spans().more());
    events(trace, out);
    lines(trace, spans, out);
    out.writeEndObject();
  }

  private static void spans(TraceDetail trace, JsonGenerator out) throws IOException {
    Map<String, Integer> services = new LinkedHashMap<>();
    out.writeArrayFieldStart("spans");
    for (PlacedSpan placed : trace.spans().items()) {
      SpanDetail span = placed.span();
      out.writeStartObject();
      out.writeStringField("id", span.spanId());
      out.writeNumberField("parent", placed.parent());
      if (placed.parent() < 0 && span.parentSpanId() != null) {
        out.writeStringField("lost", span.parentSpanId());
      }
      int next = services.size();
      out.writeNumberField("service", services.computeIfAbsent(span.service(), fresh -> next));
      out.writeStringField("name", span.name());
      out.writeStringField("kind", span.kind());
      out.writeNumberField("start", span.start() - trace.start());
      out.writeNumberField("duration", span.duration());
      if (span.status().equals("ERROR")) {
        out.writeBooleanField("failed", true);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("services");
    for (String service : services.keySet()) {
      out.writeString(service);
    }
    out.writeEndArray();
  }

  /** Each as the place of its span and when, from the start of the trace on. */
  private static void events(TraceDetail trace, JsonGenerator out) throws IOException {
    List<PlacedSpan> spans = trace.spans().items();
    int written = 0;
    boolean more = false;
    out.writeArrayFieldStart("events");
    for (int i = 0; i < spans.size(); i++) {
      for (SpanDetail.Event event : spans.get(i).span().events()) {
        if (written == MOST_EVENTS) {
          more = true;
          break;
        }
        out.writeStartArray();
        out.writeNumber(i);
        out.writeNumber(event.time() - trace.start());
        out.writeString(event.name());
        out.writeEndArray();
        written++;
      }
    }
    out.writeEndArray();
    out.writeBooleanField("moreEvents", more);
  }

  /** Likewise, with the severity; those of no span that is shown have the place -1. */
  private static void lines(TraceDetail trace, List<PlacedSpan> spans, JsonGenerator out)
      throws IOException {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < spans.size(); i++) {
      places.put(spans.get(i).span().spanId(), i);
    }
    out.writeArrayFieldStart("lines");
    for (LogLine line : trace.logs().items()) {
      out.writeStartArray();
      out.writeNumber(line.spanId() == null ? -1 : places.getOrDefault(line.spanId(), -1));
      out.writeNumber(line.time() - trace.start());
      out.writeNumber(line.severity());
      out.writeEndArray();
    }
    out.writeEndArray();
    out.writeBooleanField("moreLines", trace.logs().more());
  }
}
