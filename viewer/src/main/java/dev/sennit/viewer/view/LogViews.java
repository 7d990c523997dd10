/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.viewer.web.Site;
import java.time.Clock;

/** What the page asks of log lines. */
public final class LogViews {
  private LogViews() {}

  public static Site addTo(Site site, StoreQueries queries, Clock clock) {
    LogQueries logs = queries.logs();
    LogFilters filters = new LogFilters(clock);
    return site.with(new LogListView(logs, filters))
        .with(new LogLineView(logs))
        .with(new LogCountsView(logs, filters))
        .with(new LogExport(logs, filters))
        .withLive(new LogTail(logs, filters));
  }
}
