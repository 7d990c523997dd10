/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Operation;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ServiceQueries;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.Optional;

/** What one service does, by the names of its spans. */
final class OperationsView implements View {
  private static final int USUAL = 50;
  private static final int MOST = 500;

  private final ServiceQueries services;
  private final Ranges ranges;

  OperationsView(ServiceQueries services, Ranges ranges) {
    this.services = services;
    this.ranges = ranges;
  }

  @Override
  public String path() {
    return "operations";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    Optional<String> service = query.text("service");
    if (service.isEmpty()) {
      throw ViewException.wrong("service is missing, but must name one");
    }
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    Page<Operation> page = services.operations(service.get(), ranges.of(query), limit);
    out.writeStartObject();
    out.writeBooleanField("more", page.more());
    out.writeArrayFieldStart("operations");
    for (Operation operation : page.items()) {
      out.writeStartObject();
      out.writeStringField("name", operation.name());
      out.writeStringField("kind", operation.kind());
      out.writeNumberField("spans", operation.spans());
      out.writeNumberField("errors", operation.errors());
      out.writeNumberField("total", operation.total());
      LatencyJson.write(operation.latency(), out);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }
}
