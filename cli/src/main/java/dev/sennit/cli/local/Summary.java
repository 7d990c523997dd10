/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.store.query.SqlRows;
import dev.sennit.store.query.StoreQueries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a store has to say at the end: the slowest traces, the hottest frames, the error lines. */
public final class Summary {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String SLOWEST =
      """
      SELECT duration_ns, root_service, root_name, spans, errors, trace_id
      FROM traces
      ORDER BY duration_ns DESC, trace_id
      LIMIT 5
      """;

  /** Of the frames at the tops of stacks. */
  private static final String HOTTEST =
      """
      WITH
        tops AS (
          SELECT service, frame_ids[1] AS frame_id, sum(value) AS total
          FROM samples JOIN stacks USING (stack_id)
          WHERE type = 'cpu'
          GROUP BY ALL
        ),
        named AS (
          SELECT service, name, sum(total) AS total FROM tops JOIN frames USING (frame_id) GROUP BY ALL
        )
      SELECT total / sum(total) OVER (), service, name
      FROM named
      ORDER BY total DESC, service, name
      LIMIT 5
      """;

  private static final String ERRORS =
      """
      SELECT count(*) AS lines, service, any_value(body) AS body, arg_max(trace_id, time)
      FROM logs
      WHERE severity >= 17
      GROUP BY service, regexp_replace(split_part(body, chr(10), 1), '[0-9a-fA-F-]{2,}|[0-9]', '', 'g')
      ORDER BY lines DESC, service, body
      LIMIT 5
      """;

  private Summary() {}

  /** A part of it. Cells of a row are for columns of their own. */
  public record Part(String title, List<List<String>> rows) {
    public Part {
      rows = List.copyOf(rows);
    }
  }

  /** The parts of which there is something. */
  public static List<Part> of(StoreQueries queries) {
    List<Part> parts = new ArrayList<>();
    add(parts, "slowest traces", slowest(queries));
    add(parts, "hottest frames", hottest(queries));
    add(parts, "error lines", errors(queries));
    return parts;
  }

  private static void add(List<Part> parts, String title, List<List<String>> rows) {
    if (!rows.isEmpty()) {
      parts.add(new Part(title, rows));
    }
  }

  private static List<List<String>> slowest(StoreQueries queries) {
    return rows(
        queries,
        SLOWEST,
        row ->
            List.of(
                milliseconds(number(row.get(0))),
                text(row.get(1)),
                text(row.get(2)),
                number(row.get(3)) + (number(row.get(3)) == 1 ? " span" : " spans"),
                number(row.get(4)) == 0 ? "" : number(row.get(4)) + " failed",
                text(row.get(5))));
  }

  private static List<List<String>> hottest(StoreQueries queries) {
    return rows(
        queries,
        HOTTEST,
        row ->
            List.of(
                String.format(Locale.ROOT, "%.1f %%", 100 * share(row.get(0))),
                text(row.get(1)),
                text(row.get(2))));
  }

  private static List<List<String>> errors(StoreQueries queries) {
    return rows(
        queries,
        ERRORS,
        row ->
            List.of(
                number(row.get(0)) + " x",
                text(row.get(1)),
                text(row.get(2)).lines().findFirst().orElse(""),
                text(row.get(3))));
  }

  private interface Reading {
    List<String> read(List<@Nullable Object> row);
  }

  private static List<List<String>> rows(StoreQueries queries, String sql, Reading reading) {
    List<List<String>> rows = new ArrayList<>();
    try (SqlRows answer = queries.sql().ask(sql, PATIENCE)) {
      for (@Nullable List<@Nullable Object> row = answer.next(); row != null; row = answer.next()) {
        rows.add(reading.read(row));
      }
    }
    return rows;
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  private static double share(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }

  private static String milliseconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}
