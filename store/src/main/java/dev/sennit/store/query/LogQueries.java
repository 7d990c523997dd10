/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked of log lines. */
public final class LogQueries {
  private static final String SEARCH =
      """
      SELECT
        seq, epoch_ns(time), service, severity, severity_text, event_name, body, attributes,
        trace_id, span_id, pid, thread_id, thread_name, scope, process_id
      FROM logs
      WHERE {where}
      ORDER BY {order}
      LIMIT ?
      """;

  private final Asking asking;

  LogQueries(Asking asking) {
    this.asking = asking;
  }

  /** Lines, the newest first; with a cursor in the order in which they came, to follow them. */
  public Page<LogLine> search(LogFilter filter, int limit) {
    return search(filter, filter.after() == null ? "time DESC, seq DESC" : "seq", limit);
  }

  /** The lines of a trace, or of one span of it, as they were written. */
  Page<LogLine> ofTrace(String traceId, @Nullable String spanId, int limit) {
    return search(LogFilter.in(TimeRange.ALL).of(traceId, spanId), "time, seq", limit);
  }

  private Page<LogLine> search(LogFilter filter, String order, int limit) {
    Conditions conditions = filter.conditions();
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            SEARCH.replace("{where}", conditions.where()).replace("{order}", order),
            parameters,
            LogQueries::read),
        limit);
  }

  /** The number of the last line that was stored, from which on to follow; 0 if there is none. */
  public long lastSeq() {
    return asking
        .ask("SELECT coalesce(max(seq), 0) FROM logs", List.of(), row -> row.getLong(1))
        .getFirst();
  }

  private static LogLine read(ResultSet row) throws SQLException {
    return new LogLine(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getInt(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getString(10),
        Asking.number(row, 11),
        Asking.number(row, 12),
        row.getString(13),
        row.getString(14),
        row.getLong(15));
  }
}
