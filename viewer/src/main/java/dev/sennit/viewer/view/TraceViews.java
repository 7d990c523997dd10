/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.StoreQueries;
import dev.sennit.viewer.web.Site;
import java.time.Clock;

/** All that the page asks of traces. */
public final class TraceViews {
  private TraceViews() {}

  /** The same site with the list of traces, and with each of them. */
  public static Site addTo(Site site, StoreQueries queries, Clock clock) {
    TraceFilters filters = new TraceFilters(new Ranges(clock));
    return site.with(new TracesView(queries.traces(), filters))
        .with(new TracePointsView(queries.traces(), filters))
        .with(new TraceValuesView(queries, new Ranges(clock)))
        .with(new TraceView(queries.traces()))
        .with(new TraceFindView(queries.traces()))
        .with(new SpanView(queries.traces()))
        .with(new TraceExport(queries.traces()));
  }
}
