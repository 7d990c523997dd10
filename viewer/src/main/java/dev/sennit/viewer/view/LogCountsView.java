/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogCounts;
import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.Page;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** How many lines there are of each severity over time, and which services wrote in that time. */
final class LogCountsView implements View {
  private static final int USUAL = 120;
  private static final int MOST = 1000;
  private static final int SERVICES = 500;
  private static final double NANOS = 1e6;

  private final LogQueries logs;
  private final LogFilters filters;

  LogCountsView(LogQueries logs, LogFilters filters) {
    this.logs = logs;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "log-counts";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    int parts = (int) query.number("parts", 1, MOST, USUAL);
    LogCounts counts = logs.counts(filters.of(query), parts);
    Page<String> services = logs.services(filters.range(query), SERVICES);
    out.writeStartObject();
    out.writeNumberField("from", counts.range().from() / NANOS);
    out.writeNumberField("to", counts.range().to() / NANOS);
    out.writeNumberField("width", counts.width() / NANOS);
    out.writeArrayFieldStart("parts");
    for (LogCounts.Part part : counts.parts()) {
      out.writeStartObject();
      out.writeNumberField("start", part.start() / NANOS);
      out.writeNumberField("severity", part.severity());
      out.writeNumberField("lines", part.lines());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeArrayFieldStart("services");
    for (String service : services.items()) {
      out.writeString(service);
    }
    out.writeEndArray();
    out.writeBooleanField("more", services.more());
    out.writeEndObject();
  }
}
