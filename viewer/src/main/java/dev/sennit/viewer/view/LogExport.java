/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.sennit.store.query.LogFilter;
import dev.sennit.store.query.LogLine;
import dev.sennit.store.query.LogPlace;
import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.Page;
import dev.sennit.viewer.web.Download;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Log lines as a file, one object of JSON for each, the newest first. If there are more than a file
 * may have, its last line says so.
 */
final class LogExport implements Download {
  private static final int MOST = 50_000;
  private static final int AT_A_TIME = 2000;
  private static final int MOST_BYTES = 64 << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private final LogQueries logs;
  private final LogFilters filters;

  LogExport(LogQueries logs, LogFilters filters) {
    this.logs = logs;
    this.filters = filters;
  }

  @Override
  public String path() {
    return "logs/export";
  }

  @Override
  public Content content(Query query) throws IOException, ViewException {
    LogFilter filter = filters.of(query);
    long limit = query.number("limit", 1, MOST, MOST);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long written = 0;
    boolean more = true;
    LogPlace place = LogPlace.NEWEST;
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
      while (more && written < limit && bytes.size() < MOST_BYTES) {
        int wanted = (int) Math.min(AT_A_TIME, limit - written);
        Page<LogLine> page = logs.lines(filter, place, wanted);
        for (LogLine line : page.items()) {
          LogJson.write(out, line);
          place = new LogPlace.OlderThan(line.seq());
        }
        out.flush();
        written += page.items().size();
        more = page.more();
      }
      if (more) {
        out.writeStartObject();
        out.writeStringField(
            "more", "these are the newest " + written + " lines; there are older ones");
        out.writeEndObject();
      }
    }
    if (bytes.size() > 0) {
      bytes.write('\n');
    }
    return new Content("logs.ndjson", "application/x-ndjson", bytes.toByteArray());
  }
}
