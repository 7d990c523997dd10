/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the store within its bounds: what came first goes first. Rows stand in the order in which
 * they came, so what is deleted is whole groups of rows, whose blocks the database uses again; the
 * file does not grow while there are such blocks.
 */
final class Pruner {
  /** Rows stand in groups of so many. */
  private static final long GROUP = 122_880;

  /**
   * How many groups of rows must fit beside what is kept: the last one grows, and where rows were
   * deleted others are written anew, before their old blocks are free.
   */
  private static final double SPARE_GROUPS = 2.5;

  /** Which part of the bound is left free in any case, for the log of changes and free blocks. */
  private static final double SPARE = 0.4;

  /** However wide rows are, so much of the bound is for them. */
  private static final double LEAST = 0.25;

  /** To which part of what may be kept a deletion goes, so that it need not be repeated at once. */
  private static final double LOW = 0.85;

  /** Blocks become free with the last row of a group, so one deletion may not free enough. */
  private static final int ROUNDS = 8;

  private static final List<String> TABLES =
      List.of("spans", "span_events", "span_links", "logs", "samples");

  /** When that part of all rows had come. */
  private static final String ARRIVAL_OF_PART =
      """
      WITH
        arrivals AS (
          SELECT received, count(*) AS arrived
          FROM (
            SELECT received FROM spans
            UNION ALL SELECT received FROM logs
            UNION ALL SELECT received FROM samples
          )
          GROUP BY received
        ),
        running AS (
          SELECT
            received,
            sum(arrived) OVER (ORDER BY received) AS until_then,
            sum(arrived) OVER () AS total
          FROM arrivals
        )
      SELECT epoch_us(min(received)) FROM running WHERE until_then >= total * ?
      """;

  /** What nothing refers to any more. */
  private static final List<String> UNUSED =
      List.of(
          "DELETE FROM stacks WHERE stack_id NOT IN (SELECT stack_id FROM samples)",
          "DELETE FROM frames WHERE frame_id NOT IN (SELECT unnest(frame_ids) FROM stacks)",
          """
          DELETE FROM processes WHERE process_id NOT IN (
            SELECT process_id FROM spans
            UNION SELECT process_id FROM logs
            UNION SELECT process_id FROM samples
          )
          """);

  private final Database database;
  private final DuckDBConnection connection;
  private final Known known;
  private final long maxBytes;
  private final Duration maxAge;
  private final WriteCounts counts;
  private boolean unfinished;

  Pruner(
      Database database,
      DuckDBConnection connection,
      Known known,
      long maxBytes,
      Duration maxAge,
      WriteCounts counts) {
    this.database = database;
    this.connection = connection;
    this.known = known;
    this.maxBytes = maxBytes;
    this.maxAge = maxAge;
    this.counts = counts;
  }

  /** Deletes what is too old. */
  void pruneByAge(long nowMicros) throws SQLException {
    unfinished |= deleteUntil(nowMicros - maxAge.toNanos() / 1000) > 0;
    finish();
  }

  /** Deletes the oldest of what is too much. */
  void pruneBySize() throws SQLException {
    long used = database.size().used();
    for (int i = 0; i < ROUNDS && used > LEAST * maxBytes; i++) {
      double ceiling = ceiling(used);
      if (used <= ceiling) {
        break;
      }
      @Nullable Long arrival = arrivalOfPart(1 - LOW * ceiling / used);
      if (arrival == null) {
        break;
      }
      unfinished |= deleteUntil(arrival) > 0;
      finish();
      used = database.size().used();
    }
  }

  /** How much may be kept. */
  private double ceiling(long used) throws SQLException {
    String question = "SELECT sum(estimated_size) FROM duckdb_tables()";
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      answer.next();
      double group = (double) used * GROUP / Math.max(GROUP, answer.getLong(1));
      double spare = Math.max(SPARE * maxBytes, SPARE_GROUPS * group);
      return Math.max(LEAST * maxBytes, maxBytes - spare);
    }
  }

  private @Nullable Long arrivalOfPart(double part) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ARRIVAL_OF_PART)) {
      statement.setDouble(1, part);
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        long arrival = answer.getLong(1);
        return answer.wasNull() ? null : (Long) arrival;
      }
    }
  }

  private long deleteUntil(long micros) throws SQLException {
    long deleted = 0;
    for (String table : TABLES) {
      try (Statement statement = connection.createStatement()) {
        deleted +=
            statement.executeUpdate(
                "DELETE FROM " + table + " WHERE received <= make_timestamp(" + micros + ")");
      }
    }
    counts.pruned.add(deleted);
    return deleted;
  }

  /** What follows a deletion; after a failure it is tried again the next time. */
  private void finish() throws SQLException {
    if (!unfinished) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      for (String deletion : UNUSED) {
        statement.executeUpdate(deletion);
      }
      // Only with this are the blocks free.
      statement.execute("CHECKPOINT");
    }
    known.loadDictionaries(connection);
    unfinished = false;
  }
}
