/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.util.ArrayList;
import java.util.List;

/** All that a page can ask for. */
public record Site(List<View> views, List<LiveView> live, List<Download> downloads) {
  public static final Site EMPTY = new Site(List.of(), List.of(), List.of());

  public Site {
    views = List.copyOf(views);
    live = List.copyOf(live);
    downloads = List.copyOf(downloads);
  }

  /** The same with one view more. */
  public Site with(View view) {
    List<View> more = new ArrayList<>(views);
    more.add(view);
    return new Site(more, live, downloads);
  }

  /** The same with one more that tells as it happens. */
  public Site withLive(LiveView view) {
    List<LiveView> more = new ArrayList<>(live);
    more.add(view);
    return new Site(views, more, downloads);
  }

  /** The same with one more file to take along. */
  public Site with(Download download) {
    List<Download> more = new ArrayList<>(downloads);
    more.add(download);
    return new Site(views, live, more);
  }
}
