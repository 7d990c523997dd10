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
   * From which part of the bound on rows are deleted, and how far: the rest is for blocks that are
   * free but not yet used again, and for the log of changes.
   */
  private static final double HIGH = 0.7;

  private static final double LOW = 0.55;

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

  Pruner(
      Database database, DuckDBConnection connection, Known known, long maxBytes, Duration maxAge) {
    this.database = database;
    this.connection = connection;
    this.known = known;
    this.maxBytes = maxBytes;
    this.maxAge = maxAge;
  }

  /** Deletes what is too old or too much; the number of rows. */
  long prune(long nowMicros) throws SQLException {
    long deleted = deleteUntil(nowMicros - maxAge.toNanos() / 1000);
    long used = database.size().used();
    if (used <= HIGH * maxBytes) {
      if (deleted > 0) {
        deleteUnused();
      }
      return deleted;
    }
    for (int i = 0; i < ROUNDS && used > HIGH * maxBytes; i++) {
      @Nullable Long arrival = arrivalOfPart(1 - LOW * maxBytes / used);
      if (arrival == null) {
        break;
      }
      deleted += deleteUntil(arrival);
      deleteUnused();
      used = database.size().used();
    }
    return deleted;
  }

  private @Nullable Long arrivalOfPart(double part) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ARRIVAL_OF_PART)) {
      statement.setDouble(1, part);
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        long arrival = answer.getLong(1);
        return answer.wasNull() ? null : (Long) arrival;
      }
    } finally {
      connection.commit();
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
    connection.commit();
    return deleted;
  }

  private void deleteUnused() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String deletion : UNUSED) {
        statement.executeUpdate(deletion);
      }
    }
    connection.commit();
    known.loadDictionaries(connection);
    connection.commit();
    checkpoint();
  }

  /** Only now are the blocks free. */
  private void checkpoint() throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
    } finally {
      connection.setAutoCommit(false);
    }
  }
}
