/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.viewer.web.Site;
import java.time.Clock;

/** What the page asks of profiles. */
public final class ProfileViews {
  private ProfileViews() {}

  /** The same site with flame graphs, what they can be filtered by, and their files. */
  public static Site addTo(Site site, StoreQueries queries, Clock clock) {
    ProfileQueries profiles = queries.profiles();
    ProfileQuestion question = new ProfileQuestion(new Ranges(clock));
    return site.with(new ProfileTypesView(profiles, question))
        .with(
            new ProfileNamesView(
                "threads",
                question,
                (filter, limit) -> profiles.threads(filter.thread(null), limit)))
        .with(
            new ProfileNamesView(
                "profile-services",
                question,
                (filter, limit) -> profiles.services(filter.service(null), limit)))
        .with(
            new ProfileNamesView(
                "profile-spans",
                question,
                (filter, limit) -> profiles.spanNames(filter.spanName(null), limit)))
        .with(new ProfileTimesView(profiles, question, clock))
        .with(new FlameView(profiles, question))
        .with(new FlameExport(profiles, question));
  }
}
