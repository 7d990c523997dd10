/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.TraceFilter;
import dev.sennit.store.query.TracePoint;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** Traces that are searched for as points, of which a picture is made. */
final class TracePointsView implements View {
  private static final int USUAL = 5000;
  private static final int MOST = 20_000;

  private final TraceQueries traces;
  private final TraceFilters filters;

  TracePointsView(TraceQueries traces, TraceFilters filters) {
    this.traces = traces;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "trace-points";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    TraceFilter filter = filters.of(query);
    Page<TracePoint> found = traces.points(filter, (int) query.number("limit", 1, MOST, USUAL));
    out.writeStartObject();
    Moments.write(out, "from", filter.range().from());
    Moments.write(out, "to", filter.range().to());
    out.writeArrayFieldStart("points");
    for (TracePoint point : found.items()) {
      out.writeStartObject();
      out.writeStringField("trace", point.traceId());
      out.writeStringField("span", point.spanId());
      Moments.write(out, "start", point.start());
      out.writeNumberField("duration", point.duration());
      out.writeBooleanField("failed", point.failed());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeBooleanField("more", found.more());
    out.writeEndObject();
  }
}
