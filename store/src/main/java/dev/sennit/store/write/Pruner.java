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
  /** From which part of what may be kept on to make room, while there still is some. */
  private static final double HIGH = 0.95;

  /** To which part of what may be kept a deletion goes, so that it need not be repeated at once. */
  private static final double LOW = 0.85;

  /** Which part of the age goes at a time, for the same reason. */
  private static final int STEPS = 64;

  /** How long to wait for those who read, and how often, while there still is room. */
  private static final Duration SHORT = Duration.ofMillis(50);

  private static final Duration BETWEEN = Duration.ofSeconds(1);

  /** How long to wait for them when there is none. */
  private static final Duration LONG = Duration.ofSeconds(1);

  private static final List<String> TABLES =
      List.of("spans", "span_events", "span_links", "logs", "samples");

  private static final List<String> DICTIONARIES =
      List.of("stack_rows", "frame_rows", "process_rows");

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

  private static final String OLDEST =
      """
      SELECT epoch_us(least(
        (SELECT min(received) FROM spans),
        (SELECT min(received) FROM logs),
        (SELECT min(received) FROM samples)))
      """;

  private final Database database;
  private final DuckDBConnection connection;
  private final Known known;
  private final Room room;
  private final long maxAgeMicros;
  private final WriteCounts counts;

  /** No row is older than that; 0 if it is not known. */
  private long oldest;

  /** Whether something was deleted whose blocks may not be free yet. */
  private boolean dead;

  private long nextTry = System.nanoTime();

  Pruner(
      Database database,
      DuckDBConnection connection,
      Known known,
      Room room,
      Duration maxAge,
      WriteCounts counts) {
    this.database = database;
    this.connection = connection;
    this.known = known;
    this.room = room;
    this.maxAgeMicros = maxAge.toNanos() / 1000;
    this.counts = counts;
  }

  /** Deletes what is too old, and what soon will be. */
  void pruneByAge(long nowMicros) throws SQLException {
    if (oldest + maxAgeMicros > nowMicros) {
      return;
    }
    @Nullable Long first = number(OLDEST);
    oldest = first == null ? nowMicros : first;
    if (oldest + maxAgeMicros <= nowMicros) {
      deleteUntil(nowMicros - maxAgeMicros + maxAgeMicros / STEPS);
      oldest = 0;
    }
  }

  /** Whether so many bytes more fit; the oldest goes for them. */
  boolean makeRoom(long bytes) throws SQLException, InterruptedException {
    Database.Size size = database.size(connection);
    if (size.log() > 0 && size.log() + bytes > room.log()) {
      execute("CHECKPOINT");
      size = database.size(connection);
    }
    long needed = size.blocks() + size.log() + bytes;
    if (needed <= HIGH * room.file()) {
      return true;
    }
    boolean fits = needed <= room.file();
    if (fits && dead && System.nanoTime() - nextTry < 0) {
      return true;
    }
    if (!dead) {
      execute("CHECKPOINT");
      deleteOldest(needed);
    }
    free(fits ? SHORT : LONG);
    nextTry = System.nanoTime() + BETWEEN.toNanos();
    size = database.size(connection);
    return size.blocks() + size.log() + bytes <= room.file();
  }

  private void deleteOldest(long needed) throws SQLException {
    @Nullable Long arrival = arrivalOfPart(1 - LOW * room.file() / needed);
    if (arrival != null) {
      deleteUntil(arrival);
    }
  }

  private @Nullable Long arrivalOfPart(double part) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ARRIVAL_OF_PART)) {
      statement.setDouble(1, part);
      try (ResultSet answer = statement.executeQuery()) {
        return number(answer);
      }
    }
  }

  private void deleteUntil(long micros) throws SQLException {
    String then = "make_timestamp(" + micros + ")";
    long deleted = 0;
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN TRANSACTION");
      for (String table : TABLES) {
        deleted += statement.executeUpdate("DELETE FROM " + table + " WHERE received <= " + then);
      }
      boolean all = known.lastReceived() <= micros;
      // The oldest row that is left may name what its generation began with.
      String generation =
          all
              ? then
              : "(SELECT max(generation) - INTERVAL 1 microsecond FROM process_rows"
                  + " WHERE generation <= "
                  + then
                  + ")";
      for (String table : DICTIONARIES) {
        statement.executeUpdate("DELETE FROM " + table + " WHERE generation <= " + generation);
      }
      statement.execute("COMMIT");
      if (all) {
        known.endGeneration();
      }
    }
    known.loadFirstSeen(connection);
    counts.pruned.add(deleted);
    dead = true;
  }

  /** Blocks become free when the log goes into the tables while nobody reads. */
  private void free(Duration patience) throws SQLException, InterruptedException {
    boolean done =
        database.alone(
            patience,
            () -> {
              // Without a change nothing would be done.
              execute("UPDATE sennit_store SET schema_version = schema_version");
              execute("CHECKPOINT");
            });
    dead &= !done;
  }

  private @Nullable Long number(String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      return number(answer);
    }
  }

  private static @Nullable Long number(ResultSet answer) throws SQLException {
    answer.next();
    long number = answer.getLong(1);
    return answer.wasNull() ? null : (Long) number;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
