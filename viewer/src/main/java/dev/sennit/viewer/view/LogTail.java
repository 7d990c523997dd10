/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.LogFilter;
import dev.sennit.store.query.LogHead;
import dev.sennit.store.query.LogPlace;
import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.Page;
import dev.sennit.viewer.web.Events;
import dev.sennit.viewer.web.LiveView;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.io.IOException;
import java.time.Duration;

/**
 * Log lines as they are stored, whatever their times are. Of more than can be shown the last are
 * told, and how many were left out.
 */
final class LogTail implements LiveView {
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final int AT_A_TIME = 500;

  private final LogQueries logs;
  private final LogFilters filters;

  LogTail(LogQueries logs, LogFilters filters) {
    this.logs = logs;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "logs";
  }

  @Override
  public void run(Query query, Events events)
      throws IOException, InterruptedException, ViewException {
    LogFilter filter = filters.anyTime(query);
    long asked = query.number("after", 0, Long.MAX_VALUE, -1);
    long told = asked >= 0 ? asked : logs.lastSeq();
    // Even if nothing was written yet, so that the page knows that it is heard.
    tell(filter, told, told, events);
    while (true) {
      long last = logs.lastSeq();
      if (last > told) {
        tell(filter, told, last, events);
        told = last;
      }
      events.pause(PERIOD);
    }
  }

  private void tell(LogFilter filter, long after, long last, Events events) throws IOException {
    LogPlace since = new LogPlace.Stored(after, last);
    Page<LogHead> page = logs.heads(filter, since, AT_A_TIME);
    long leftOut = page.more() ? logs.count(filter, since) - page.items().size() : 0;
    events.send(
        "lines",
        out -> {
          out.writeStartObject();
          LogJson.writeHeads(out, "lines", page.items().reversed());
          out.writeNumberField("last", last);
          out.writeNumberField("leftOut", leftOut);
          out.writeEndObject();
        });
  }
}
