/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ServiceEdge;
import dev.sennit.store.query.ServiceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;

/** Who calls whom, and how often. */
final class MapView implements View {
  private static final int USUAL = 300;
  private static final int MOST = 2000;

  private final ServiceQueries services;
  private final Ranges ranges;

  MapView(ServiceQueries services, Ranges ranges) {
    this.services = services;
    this.ranges = ranges;
  }

  @Override
  public String path() {
    return "map";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    Page<ServiceEdge> page = services.map(ranges.of(query), limit);
    out.writeStartObject();
    out.writeBooleanField("more", page.more());
    out.writeArrayFieldStart("edges");
    for (ServiceEdge edge : page.items()) {
      out.writeStartObject();
      out.writeStringField("caller", edge.caller());
      out.writeStringField("callee", edge.callee());
      out.writeBooleanField("seen", edge.seen());
      out.writeNumberField("calls", edge.calls());
      out.writeNumberField("errors", edge.errors());
      out.writeNumberField("p99", edge.p99());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
