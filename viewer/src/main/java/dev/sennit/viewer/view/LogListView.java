/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogFilter;
import dev.sennit.store.query.LogHead;
import dev.sennit.store.query.LogPlace;
import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.Page;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.View;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Log lines in the order of their times: the newest, those before or after one, or those around a
 * moment.
 */
final class LogListView implements View {
  private static final int USUAL = 300;
  private static final int MOST = 2000;
  private static final long NANOS = 1_000_000;

  private final LogQueries logs;
  private final LogFilters filters;

  LogListView(LogQueries logs, LogFilters filters) {
    this.logs = logs;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "logs";
  }

  @Override
  public void write(Query query, JsonGenerator out) throws IOException, ViewException {
    // Asked first: what is stored while the lines are read comes by the tail, not never.
    long last = logs.lastSeq();
    Lines lines = lines(query);
    out.writeStartObject();
    LogJson.writeHeads(out, "lines", lines.inOrder);
    out.writeBooleanField("older", lines.older);
    out.writeBooleanField("newer", lines.newer);
    out.writeNumberField("last", last);
    out.writeEndObject();
  }

  private record Lines(List<LogHead> inOrder, boolean older, boolean newer) {}

  private Lines lines(Query query) throws ViewException {
    LogFilter filter = filters.of(query);
    int limit = (int) query.number("limit", 1, MOST, USUAL);
    long before = query.number("before", 0, Long.MAX_VALUE, -1);
    long after = query.number("after", 0, Long.MAX_VALUE, -1);
    long at = query.number("at", 1, Long.MAX_VALUE / NANOS - 1, -1);
    if (before >= 0) {
      return back(logs.heads(filter, new LogPlace.OlderThan(before), limit), true);
    }
    if (after >= 0) {
      Page<LogHead> page = logs.heads(filter, new LogPlace.NewerThan(after), limit);
      return new Lines(page.items(), true, page.more());
    }
    return at >= 0
        ? around(filter, at * NANOS, limit)
        : back(logs.heads(filter, LogPlace.NEWEST, limit), false);
  }

  private static Lines back(Page<LogHead> page, boolean newer) {
    return new Lines(page.items().reversed(), page.more(), newer);
  }

  private Lines around(LogFilter filter, long at, int limit) {
    TimeRange range = filter.range();
    List<LogHead> lines = new ArrayList<>();
    boolean older = false;
    boolean newer = false;
    if (at > range.from()) {
      LogFilter earlier = filter.range(new TimeRange(range.from(), Math.min(at, range.to())));
      Page<LogHead> page = logs.heads(earlier, LogPlace.NEWEST, limit);
      lines.addAll(page.items().reversed());
      older = page.more();
    }
    if (at < range.to()) {
      LogFilter later = filter.range(new TimeRange(Math.max(at, range.from()), range.to()));
      Page<LogHead> page = logs.heads(later, LogPlace.OLDEST, limit);
      lines.addAll(page.items());
      newer = page.more();
    }
    return new Lines(lines, older, newer);
  }
}
