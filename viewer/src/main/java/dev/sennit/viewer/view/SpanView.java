/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogLine;
import dev.sennit.store.query.ProcessInfo;
import dev.sennit.store.query.SpanDetail;
import dev.sennit.store.query.TraceDetail;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** All that is known of one span, with its log lines. */
final class SpanView implements View {
  private static final int USUAL_LINES = 500;
  private static final int MOST_LINES = 5000;

  private final TraceQueries traces;

  SpanView(TraceQueries traces) {
    this.traces = traces;
  }

  @Override
  public String path() {
    return "traces/{id}/spans/{span}";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    String traceId = TraceIds.trace(query);
    String spanId = TraceIds.span(query);
    TraceDetail found =
        traces
            .span(traceId, spanId, (int) query.number("lines", 1, MOST_LINES, USUAL_LINES))
            .orElseThrow(
                () -> ViewException.missing("there is no span " + spanId + " in trace " + traceId));
    SpanDetail span = found.spans().items().getFirst().span();
    out.writeStartObject();
    out.writeStringField("id", span.spanId());
    text(out, "parent", span.parentSpanId());
    out.writeStringField("service", span.service());
    out.writeStringField("name", span.name());
    out.writeStringField("kind", span.kind());
    Moments.write(out, "start", span.start());
    out.writeNumberField("duration", span.duration());
    out.writeStringField("status", span.status());
    text(out, "message", span.statusMessage());
    text(out, "scope", span.scope());
    text(out, "traceState", span.traceState());
    AttributeLists.write(out, "attributes", span.attributes());
    for (ProcessInfo process : found.processes()) {
      if (process.processId() == span.processId()) {
        AttributeLists.write(out, "resource", process.resource());
      }
    }
    events(span, out);
    links(span, out);
    out.writeArrayFieldStart("lines");
    for (LogLine line : found.logs().items()) {
      line(line, out);
    }
    out.writeEndArray();
    out.writeBooleanField("moreLines", found.logs().more());
    out.writeEndObject();
  }

  private static void events(SpanDetail span, JsonGenerator out) throws IOException {
    out.writeArrayFieldStart("events");
    for (SpanDetail.Event event : span.events()) {
      out.writeStartObject();
      Moments.write(out, "time", event.time());
      out.writeNumberField("after", event.time() - span.start());
      out.writeStringField("name", event.name());
      AttributeLists.write(out, "attributes", event.attributes());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void links(SpanDetail span, JsonGenerator out) throws IOException {
    out.writeArrayFieldStart("links");
    for (SpanDetail.Link link : span.links()) {
      out.writeStartObject();
      out.writeStringField("trace", link.traceId());
      out.writeStringField("span", link.spanId());
      AttributeLists.write(out, "attributes", link.attributes());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void line(LogLine line, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeNumberField("seq", line.seq());
    Moments.write(out, "time", line.time());
    out.writeNumberField("severity", line.severity());
    text(out, "severityText", line.severityText());
    text(out, "body", line.body() == null ? line.eventName() : line.body());
    out.writeEndObject();
  }

  private static void text(JsonGenerator out, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      out.writeStringField(name, value);
    }
  }
}
