/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is asked of services: how many requests, how fast, how many failed, and who calls whom. */
public final class ServiceQueries {
  private static final String REQUEST =
      "(kind IN ('SERVER', 'CONSUMER') OR parent_span_id IS NULL)";

  private static final String OVERVIEW =
      """
      WITH busiest AS (
        SELECT service FROM spans WHERE {where}
        GROUP BY service ORDER BY count(*) DESC, service LIMIT ?
      )
      SELECT
        service,
        bucket,
        count(*),
        count(*) FILTER (request),
        count(*) FILTER (request AND failed),
        {latency}
      FROM (
        SELECT
          service,
          duration_ns,
          status = 'ERROR' AS failed,
          {request} AS request,
          (epoch_ns(start) - ?) // ? AS bucket
        FROM spans
        WHERE {where}
      )
      WHERE service IN (FROM busiest)
      GROUP BY GROUPING SETS ((service), (service, bucket))
      ORDER BY service, bucket NULLS FIRST
      """;

  /**
   * Spans meet by the hashes of their ids, of which no two are the same among as many as a store
   * holds, but for a chance of one in millions; joining by the texts takes twice the time.
   */
  private static final String MAP =
      """
      WITH
        seen AS MATERIALIZED (
          SELECT
            caller_key, caller.service AS caller, callee.service AS callee, duration_ns, failed
          FROM (
            SELECT
              hash(trace_id, parent_span_id) AS caller_key,
              service,
              duration_ns,
              status = 'ERROR' AS failed
            FROM spans
            WHERE parent_span_id IS NOT NULL AND {where}
          ) AS callee
          JOIN (
            SELECT hash(trace_id, span_id) AS caller_key, service FROM spans WHERE {where}
          ) AS caller USING (caller_key)
          WHERE caller.service <> callee.service
        ),
        calls AS (
          SELECT caller, callee, true AS seen, duration_ns, failed FROM seen
          UNION ALL
          SELECT service, peer, false, duration_ns, status = 'ERROR'
          FROM spans
          WHERE peer IS NOT NULL
            AND {where}
            AND hash(trace_id, span_id) NOT IN (SELECT caller_key FROM seen)
        )
      SELECT
        caller,
        callee,
        seen,
        count(*),
        count(*) FILTER (failed),
        quantile_disc(duration_ns, 0.99)
      FROM calls
      GROUP BY caller, callee, seen
      ORDER BY count(*) DESC, caller, callee, seen
      LIMIT ?
      """;

  private static final String OPERATIONS =
      """
      SELECT
        name,
        kind,
        count(*),
        count(*) FILTER (status = 'ERROR'),
        {total},
        {latency}
      FROM spans
      WHERE {where}
      GROUP BY name, kind
      ORDER BY count(*) DESC, name, kind
      LIMIT ?
      """;

  private static final Comparator<ServiceOverview> BUSIER =
      Comparator.comparingLong(ServiceOverview::spans)
          .thenComparing(ServiceOverview::service, Comparator.reverseOrder());

  private final Asking asking;

  ServiceQueries(Asking asking) {
    this.asking = asking;
  }

  /**
   * The services that have spans in the range, in the order of their names; those with the most
   * spans, if there are more than the limit.
   *
   * @param buckets into how many parts the range is divided
   */
  public Page<ServiceOverview> overview(TimeRange range, int buckets, int limit) {
    long width = Math.max(1, Math.ceilDiv(range.to() - range.from(), buckets));
    Conditions conditions = new Conditions().within("start", range);
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.addAll(List.of(limit + 1, range.from(), width));
    parameters.addAll(conditions.parameters());
    List<Line> lines =
        asking.ask(
            OVERVIEW
                .replace("{request}", REQUEST)
                .replace("{where}", conditions.where())
                .replace("{latency}", Latency.column(" FILTER (request)")),
            parameters,
            row ->
                new Line(
                    row.getString(1),
                    Asking.number(row, 2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    Latency.read(row, 6)));
    return page(lines, range.from(), width, limit);
  }

  /** A line of the answer; without a bucket it is the sum of the service. */
  private record Line(
      String service,
      @Nullable Long bucket,
      long spans,
      long requests,
      long errors,
      Latency latency) {}

  private static Page<ServiceOverview> page(List<Line> lines, long from, long width, int limit) {
    Map<String, Line> sums = new LinkedHashMap<>();
    Map<String, List<ServiceOverview.Bucket>> buckets = new LinkedHashMap<>();
    for (Line line : lines) {
      if (line.bucket == null) {
        sums.put(line.service, line);
        buckets.put(line.service, new ArrayList<>());
      } else if (line.requests > 0) {
        buckets
            .getOrDefault(line.service, new ArrayList<>())
            .add(
                new ServiceOverview.Bucket(
                    from + line.bucket * width, line.requests, line.errors, line.latency));
      }
    }
    List<ServiceOverview> services = new ArrayList<>();
    sums.forEach(
        (service, sum) ->
            services.add(
                new ServiceOverview(
                    service,
                    sum.spans,
                    sum.requests,
                    sum.errors,
                    sum.latency,
                    buckets.getOrDefault(service, List.of()))));
    if (services.size() <= limit) {
      return new Page<>(services, false);
    }
    services.remove(services.stream().min(BUSIER).orElseThrow());
    return new Page<>(services, true);
  }

  /** Who calls whom, the busiest first. Caller and callee must both lie in the range. */
  public Page<ServiceEdge> map(TimeRange range, int limit) {
    Conditions conditions = new Conditions().within("start", range);
    List<Object> parameters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      parameters.addAll(conditions.parameters());
    }
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            MAP.replace("{where}", conditions.where()),
            parameters,
            row ->
                new ServiceEdge(
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6))),
        limit);
  }

  /** What a service does, or all of them if it is null, the most frequent first. */
  public Page<Operation> operations(@Nullable String service, TimeRange range, int limit) {
    Conditions conditions = new Conditions().within("start", range).and("service = ?", service);
    List<Object> parameters = new ArrayList<>(conditions.parameters());
    parameters.add(limit + 1);
    return Page.of(
        asking.ask(
            OPERATIONS
                .replace("{total}", Asking.sum("duration_ns"))
                .replace("{latency}", Latency.column(""))
                .replace("{where}", conditions.where()),
            parameters,
            row ->
                new Operation(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    Latency.read(row, 6))),
        limit);
  }
}
