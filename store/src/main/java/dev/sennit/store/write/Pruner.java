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
  /**
   * From which part of the bound on rows are deleted, and how far. The rest is for the log of
   * changes, and for blocks that are free but not yet used again: a group of rows, of which there
   * are 122,880, is written anew before its old blocks are free.
   */
  private static final double HIGH = 0.6;

  private static final double LOW = 0.5;

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
    for (int i = 0; i < ROUNDS && used > HIGH * maxBytes; i++) {
      @Nullable Long arrival = arrivalOfPart(1 - LOW * maxBytes / used);
      if (arrival == null) {
        break;
      }
      unfinished |= deleteUntil(arrival) > 0;
      finish();
      used = database.size().used();
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
