/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked of traces. */
public final class TraceQueries {
  /** First which traces, then what of them: most of a store has nothing to do with the answer. */
  private static final String SEARCH =
      """
      WITH found AS (
        SELECT trace_id, {rank} AS rank
        FROM spans
        WHERE {where}
        GROUP BY trace_id
        HAVING {having}
        ORDER BY rank DESC, trace_id
        LIMIT ?
      )
      SELECT
        trace_id,
        min(epoch_ns(start)) AS first_start,
        max(epoch_ns(start) + duration_ns) - min(epoch_ns(start)),
        first(service ORDER BY parent_span_id IS NOT NULL, start, span_id),
        first(name ORDER BY parent_span_id IS NOT NULL, start, span_id),
        count(DISTINCT span_id),
        count(DISTINCT span_id) FILTER (status = 'ERROR'),
        list(DISTINCT service ORDER BY service)
      FROM spans JOIN found USING (trace_id)
      GROUP BY trace_id, rank
      ORDER BY rank DESC, trace_id
      """;

  private static final String POINTS =
      """
      WITH
        matching AS (
          SELECT trace_id, span_id, start, duration_ns, status FROM spans WHERE {where}
        ),
        found AS (
          SELECT trace_id, max(start) AS latest
          FROM matching
          GROUP BY trace_id
          HAVING {having}
          ORDER BY latest DESC, trace_id
          LIMIT ?
        )
      SELECT
        trace_id,
        first(span_id ORDER BY duration_ns DESC, start, span_id),
        first(epoch_ns(start) ORDER BY duration_ns DESC, start, span_id),
        max(duration_ns),
        bool_or(status = 'ERROR')
      FROM matching JOIN found USING (trace_id)
      GROUP BY trace_id, latest
      ORDER BY latest DESC, trace_id
      """;

  private static final String SPANS =
      """
      SELECT
        span_id, parent_span_id, service, name, kind, epoch_ns(start), duration_ns, status,
        status_message, attributes, scope, trace_state, process_id
      FROM spans
      WHERE {where}
      QUALIFY row_number() OVER (PARTITION BY span_id ORDER BY received, start) = 1
      ORDER BY start, span_id
      LIMIT ?
      """;

  private static final String EVENTS =
      """
      SELECT DISTINCT span_id, epoch_ns(time) AS moment, name, attributes
      FROM span_events
      WHERE {where}
      ORDER BY moment, name, attributes
      """;

  private static final String LINKS =
      """
      SELECT DISTINCT span_id, linked_trace_id, linked_span_id, attributes
      FROM span_links
      WHERE {where}
      ORDER BY linked_trace_id, linked_span_id, attributes
      """;

  private static final String FIND =
      """
      SELECT DISTINCT span_id
      FROM spans
      WHERE {where}
      ORDER BY span_id
      LIMIT ?
      """;

  /** Of the latest spans only, for keys seldom change and attributes are slow to take apart. */
  private static final String KEYS =
      """
      SELECT key
      FROM (
        SELECT unnest(json_keys(attributes)) AS key
        FROM (
          SELECT attributes
          FROM spans
          WHERE {where} AND attributes IS NOT NULL
          ORDER BY start DESC, span_id
          LIMIT 2000
        )
      )
      GROUP BY key
      ORDER BY count(*) DESC, key
      LIMIT ?
      """;

  private final Asking asking;
  private final LogQueries logs;
  private final ProcessQueries processes;

  TraceQueries(Asking asking, LogQueries logs, ProcessQueries processes) {
    this.asking = asking;
    this.logs = logs;
    this.processes = processes;
  }

  /** Traces, the latest first. */
  public Page<TraceSummary> search(TraceFilter filter, int limit) {
    return search("max(start)", filter, limit);
  }

  /** Traces, that with the longest of the spans that are looked for first. */
  public Page<TraceSummary> slowest(TraceFilter filter, int limit) {
    return search("max(duration_ns)", filter, limit);
  }

  private Page<TraceSummary> search(String rank, TraceFilter filter, int limit) {
    return Page.of(
        ask(SEARCH.replace("{rank}", rank), filter, limit, TraceQueries::summary), limit);
  }

  /** The same traces as points, of which a picture may have many more than a list has lines. */
  public Page<TracePoint> points(TraceFilter filter, int limit) {
    return Page.of(
        ask(
            POINTS,
            filter,
            limit,
            row ->
                new TracePoint(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getBoolean(5))),
        limit);
  }

  private <T> List<T> ask(String question, TraceFilter filter, int limit, Asking.Row<T> row) {
    Conditions conditions = filter.conditions();
    Conditions having = filter.conditionsOfTraces();
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.addAll(having.parameters());
    parameters.add(limit + 1);
    return asking.ask(
        question.replace("{where}", conditions.where()).replace("{having}", having.where()),
        parameters,
        row);
  }

  private static TraceSummary summary(ResultSet row) throws SQLException {
    Object[] services = (Object[]) row.getArray(8).getArray();
    return new TraceSummary(
        row.getString(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7),
        Arrays.stream(services).map(String::valueOf).toList());
  }

  /** All of a trace, up to that many spans and log lines; empty if there is no span of it. */
  public Optional<TraceDetail> trace(String traceId, int limit) {
    return detail(traceId, null, limit);
  }

  /** One span of a trace, with up to that many of its log lines and its process. */
  public Optional<TraceDetail> span(String traceId, String spanId, int lines) {
    return detail(traceId, spanId, lines);
  }

  private Optional<TraceDetail> detail(String traceId, @Nullable String spanId, int limit) {
    List<SpanDetail> spans = spans(traceId, spanId, limit + 1);
    if (spans.isEmpty()) {
      return Optional.empty();
    }
    Page<LogLine> lines = logs.ofTrace(traceId, spanId, limit);
    long start = spans.stream().mapToLong(SpanDetail::start).min().orElse(0);
    long end = spans.stream().mapToLong(span -> span.start() + span.duration()).max().orElse(0);
    Set<Long> origins = new HashSet<>();
    spans.forEach(span -> origins.add(span.processId()));
    lines.items().forEach(line -> origins.add(line.processId()));
    boolean more = spans.size() > limit;
    List<SpanDetail> shown = more ? spans.subList(0, limit) : spans;
    return Optional.of(
        new TraceDetail(
            traceId,
            start,
            end - start,
            new Page<>(SpanTree.of(shown), more),
            lines,
            processes.byId(origins)));
  }

  /** The spans of a trace whose name, status or attributes contain a text, by their ids. */
  public Page<String> find(String traceId, String text, int limit) {
    Conditions conditions =
        new Conditions()
            .and("trace_id = ?", traceId)
            .contains(text, "name", "service", "status_message");
    return Page.of(texts(FIND, conditions, limit), limit);
  }

  /** The names of attributes that spans in the range have, the most frequent first. */
  public Page<String> attributeKeys(TimeRange range, int limit) {
    return Page.of(texts(KEYS, new Conditions().within("start", range), limit), limit);
  }

  private List<String> texts(String question, Conditions conditions, int limit) {
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return asking.ask(
        question.replace("{where}", conditions.where()), parameters, row -> row.getString(1));
  }

  private List<SpanDetail> spans(String traceId, @Nullable String spanId, int limit) {
    Conditions conditions =
        new Conditions().and("trace_id = ?", traceId).and("span_id = ?", spanId);
    String where = conditions.where();
    List<Object> limited = new ArrayList<>(conditions.parameters());
    limited.add(limit);
    Map<String, List<SpanDetail.Event>> events = new HashMap<>();
    asking.ask(
        EVENTS.replace("{where}", where),
        conditions.parameters(),
        row ->
            events
                .computeIfAbsent(row.getString(1), fresh -> new ArrayList<>())
                .add(new SpanDetail.Event(row.getLong(2), row.getString(3), row.getString(4))));
    Map<String, List<SpanDetail.Link>> links = new HashMap<>();
    asking.ask(
        LINKS.replace("{where}", where),
        conditions.parameters(),
        row ->
            links
                .computeIfAbsent(row.getString(1), fresh -> new ArrayList<>())
                .add(new SpanDetail.Link(row.getString(2), row.getString(3), row.getString(4))));
    return asking.ask(
        SPANS.replace("{where}", where),
        limited,
        row ->
            new SpanDetail(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6),
                row.getLong(7),
                row.getString(8),
                row.getString(9),
                row.getString(10),
                row.getString(11),
                row.getString(12),
                row.getLong(13),
                events.getOrDefault(row.getString(1), List.of()),
                links.getOrDefault(row.getString(1), List.of())));
  }
}
