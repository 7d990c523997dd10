/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.TraceFilter;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.store.query.TraceSummary;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** Traces that are searched for, the newest or the slowest first. */
final class TracesView implements View {
  private static final int USUAL = 200;
  private static final int MOST = 2000;

  private final TraceQueries traces;
  private final TraceFilters filters;

  TracesView(TraceQueries traces, TraceFilters filters) {
    this.traces = traces;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "traces";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    TraceFilter filter = filters.of(query);
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    Page<TraceSummary> found =
        isSlowest(query) ? traces.slowest(filter, limit) : traces.search(filter, limit);
    out.writeStartObject();
    out.writeArrayFieldStart("traces");
    for (TraceSummary trace : found.items()) {
      out.writeStartObject();
      out.writeStringField("id", trace.traceId());
      Moments.write(out, "start", trace.start());
      out.writeNumberField("duration", trace.duration());
      out.writeStringField("service", trace.rootService());
      out.writeStringField("name", trace.rootName());
      out.writeNumberField("spans", trace.spans());
      out.writeNumberField("errors", trace.errors());
      out.writeArrayFieldStart("services");
      for (String service : trace.services()) {
        out.writeString(service);
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeBooleanField("more", found.more());
    out.writeEndObject();
  }

  private static boolean isSlowest(Query query) throws ViewException {
    String sort = query.text("sort").orElse("newest");
    if (!sort.equals("newest") && !sort.equals("slowest")) {
      throw ViewException.wrong("sort is " + sort + ", but must be newest or slowest");
    }
    return sort.equals("slowest");
  }
}
