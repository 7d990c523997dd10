/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.StoreQueries;
import dev.sennit.viewer.web.Site;
import java.time.Clock;

/** What the view of processes asks for: those that live, and those that telemetry tells of. */
public final class ProcessViews {
  private ProcessViews() {}

  public static Site addTo(Site site, StoreQueries queries, LiveProcesses live, Clock clock) {
    return site.with(new ProcessesView(queries.processes()))
        .withLive(new LiveProcessesView(new SharedProcesses(live, clock)));
  }
}
