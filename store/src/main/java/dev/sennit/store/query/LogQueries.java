/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private static final String HEADS =
      """
      SELECT
        seq, epoch_ns(time), service, severity, severity_text, event_name, left(body, {length}),
        length(body) > {length}, trace_id, span_id, thread_id, thread_name,
        attributes ->> '/sennit.correlation'
      FROM logs
      WHERE {where}
      ORDER BY {order}
      LIMIT ?
      """;

  /** Four numbers of OpenTelemetry's scale have one word. */
  private static final String COUNTS =
      """
      SELECT
        (epoch_ns(time) - ?) // ? AS part,
        CASE WHEN severity < 1 THEN 0 ELSE least(severity - 1, 23) // 4 * 4 + 1 END AS band,
        count(*)
      FROM logs
      WHERE {where}
      GROUP BY part, band
      ORDER BY part, band
      """;

  private static final int HEAD_LENGTH = 2000;

  private final Asking asking;

  LogQueries(Asking asking) {
    this.asking = asking;
  }

  /** Lines, the newest first; with a cursor in the order in which they came, to follow them. */
  public Page<LogLine> search(LogFilter filter, int limit) {
    return search(
        filter.conditions(), filter.after() == null ? "time DESC, seq DESC" : "seq", limit);
  }

  /** The lines of a trace, or of one span of it, as they were written. */
  Page<LogLine> ofTrace(String traceId, @Nullable String spanId, int limit) {
    return search(LogFilter.in(TimeRange.ALL).of(traceId, spanId).conditions(), "time, seq", limit);
  }

  private Page<LogLine> search(Conditions conditions, String order, int limit) {
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            SEARCH.replace("{where}", conditions.where()).replace("{order}", order),
            parameters,
            LogQueries::read),
        limit);
  }

  /** Lines as a list shows them, from a place on. */
  public Page<LogHead> heads(LogFilter filter, LogPlace from, int limit) {
    Conditions conditions = restrict(filter.conditions(), from);
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            HEADS
                .replace("{length}", Integer.toString(HEAD_LENGTH))
                .replace("{where}", conditions.where())
                .replace("{order}", order(from)),
            parameters,
            LogQueries::readHead),
        limit);
  }

  /** Whole lines, from a place on. */
  public Page<LogLine> lines(LogFilter filter, LogPlace from, int limit) {
    return search(restrict(filter.conditions(), from), order(from), limit);
  }

  /** How many lines there are from a place on. */
  public long count(LogFilter filter, LogPlace from) {
    Conditions conditions = restrict(filter.conditions(), from);
    return asking
        .ask(
            "SELECT count(*) FROM logs WHERE " + conditions.where(),
            conditions.parameters(),
            row -> row.getLong(1))
        .getFirst();
  }

  /** A line by its number. */
  public Optional<LogLine> line(long seq) {
    return search(new Conditions().and("seq = ?", seq), "seq", 1).items().stream().findFirst();
  }

  /**
   * How many lines there are of each severity, over time.
   *
   * @param parts into how many the range is divided
   */
  public LogCounts counts(LogFilter filter, int parts) {
    TimeRange range = filter.range().equals(TimeRange.ALL) ? extent(filter) : filter.range();
    long width = Math.max(1, Math.ceilDiv(range.to() - range.from(), parts));
    Conditions conditions = filter.range(range).conditions();
    List<Object> parameters = new ArrayList<>(List.of(range.from(), width));
    parameters.addAll(conditions.parameters());
    return new LogCounts(
        range,
        width,
        asking.ask(
            COUNTS.replace("{where}", conditions.where()),
            parameters,
            row ->
                new LogCounts.Part(
                    range.from() + row.getLong(1) * width, row.getInt(2), row.getLong(3))));
  }

  /** From the first line to the last. */
  private TimeRange extent(LogFilter filter) {
    Conditions conditions = filter.conditions();
    return asking
        .ask(
            "SELECT coalesce(epoch_ns(min(time)), 0), coalesce(epoch_ns(max(time)), 0) FROM logs"
                + " WHERE "
                + conditions.where(),
            conditions.parameters(),
            row -> new TimeRange(row.getLong(1), row.getLong(2) + 1))
        .getFirst();
  }

  /** The services that have lines in a range, in the order of their names. */
  public Page<String> services(TimeRange range, int limit) {
    Conditions conditions = new Conditions().within("time", range);
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            "SELECT DISTINCT service FROM logs WHERE "
                + conditions.where()
                + " ORDER BY service LIMIT ?",
            parameters,
            row -> row.getString(1)),
        limit);
  }

  /** The number of the last line that was stored, from which on to follow; 0 if there is none. */
  public long lastSeq() {
    return asking
        .ask("SELECT coalesce(max(seq), 0) FROM logs", List.of(), row -> row.getLong(1))
        .getFirst();
  }

  /** Adds what holds for lines from a place on. */
  private static Conditions restrict(Conditions conditions, LogPlace from) {
    String time = "(SELECT time FROM logs WHERE seq = ?)";
    return switch (from) {
      case LogPlace.End end -> conditions;
      case LogPlace.OlderThan(long seq) ->
          conditions.andAll(
              "(time < " + time + " OR (time = " + time + " AND seq < ?))", seq, seq, seq);
      case LogPlace.NewerThan(long seq) ->
          conditions.andAll(
              "(time > " + time + " OR (time = " + time + " AND seq > ?))", seq, seq, seq);
      case LogPlace.Stored(long after, long upTo) ->
          conditions.andAll("seq > ? AND seq <= ?", after, upTo);
    };
  }

  private static String order(LogPlace from) {
    return switch (from) {
      case LogPlace.End(boolean oldest) -> oldest ? "time, seq" : "time DESC, seq DESC";
      case LogPlace.OlderThan older -> "time DESC, seq DESC";
      case LogPlace.NewerThan newer -> "time, seq";
      case LogPlace.Stored stored -> "seq DESC";
    };
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

  private static LogHead readHead(ResultSet row) throws SQLException {
    return new LogHead(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getInt(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getBoolean(8),
        row.getString(9),
        row.getString(10),
        Asking.number(row, 11),
        row.getString(12),
        row.getString(13));
  }
}
