/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.ServiceQueries;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.viewer.web.Site;
import java.time.Clock;

/** What the overview asks for: services, who calls whom, and what each does. */
public final class ServiceViews {
  private ServiceViews() {}

  public static Site addTo(Site site, StoreQueries queries, Clock clock) {
    ServiceQueries services = queries.services();
    Ranges ranges = new Ranges(clock);
    return site.with(new OverviewView(services, ranges, clock))
        .with(new MapView(services, ranges))
        .with(new OperationsView(services, ranges));
  }
}
