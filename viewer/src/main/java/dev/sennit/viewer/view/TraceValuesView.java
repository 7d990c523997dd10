/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Operation;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.ServiceOverview;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.List;

/** What there is to search for: services, the operations of one or all, and keys of attributes. */
final class TraceValuesView implements View {
  private static final int MOST = 500;

  private final StoreQueries queries;
  private final Ranges ranges;

  TraceValuesView(StoreQueries queries, Ranges ranges) {
    this.queries = queries;
    this.ranges = ranges;
  }

  @Override
  public String path() {
    return "trace-values";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    TimeRange range = ranges.of(query);
    Page<ServiceOverview> services = queries.services().overview(range, 1, MOST);
    Page<Operation> operations =
        queries.services().operations(query.text("service").orElse(null), range, MOST);
    Page<String> keys = queries.traces().attributeKeys(range, MOST);
    out.writeStartObject();
    list(out, "services", services.items().stream().map(ServiceOverview::service).toList());
    list(out, "operations", operations.items().stream().map(Operation::name).distinct().toList());
    list(out, "attributes", keys.items());
    out.writeBooleanField("more", services.more() || operations.more() || keys.more());
    out.writeEndObject();
  }

  private static void list(JsonGenerator out, String name, List<String> values) throws IOException {
    out.writeArrayFieldStart(name);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
  }
}
