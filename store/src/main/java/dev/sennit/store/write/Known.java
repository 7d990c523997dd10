/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * What the writer knows of the store, so that it need not ask for every row: which stacks, frames
 * and processes are in it, and which spans came last. After a failure it is loaded again, since
 * what a transaction had added may not be there.
 */
final class Known {
  /** Who sends something again does so within seconds: this is many of them. */
  private static final int SPANS = 500_000;

  private static final int PROFILES = 10_000;

  LongSet stacks = new LongSet(16);
  LongSet frames = new LongSet(16);

  /** When each process was last said to have been seen, in microseconds since 1970. */
  final Map<Long, Long> processes = new HashMap<>();

  SeenIds spans = new SeenIds(SPANS);
  SeenIds profiles = new SeenIds(PROFILES);
  long nextSeq;

  void load(Connection connection) throws SQLException {
    loadDictionaries(connection);
    spans = new SeenIds(SPANS);
    profiles = new SeenIds(PROFILES);
    String last = "SELECT trace_id, span_id FROM spans ORDER BY rowid DESC LIMIT " + SPANS;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(last)) {
      while (rows.next()) {
        spans.add(rows.getString(1), rows.getString(2));
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT coalesce(max(seq), 0) + 1 FROM logs")) {
      rows.next();
      nextSeq = Math.max(nextSeq, rows.getLong(1));
    }
  }

  /** What is removed with the samples and processes that it belongs to. */
  void loadDictionaries(Connection connection) throws SQLException {
    stacks = numbers(connection, "SELECT stack_id FROM stacks");
    frames = numbers(connection, "SELECT frame_id FROM frames");
    processes.clear();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT process_id, epoch_us(last_seen) FROM processes")) {
      while (rows.next()) {
        processes.put(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  private static LongSet numbers(Connection connection, String question) throws SQLException {
    LongSet numbers = new LongSet(16);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers;
  }
}
