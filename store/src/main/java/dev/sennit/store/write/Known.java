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
 *
 * <p>Stacks, frames and processes are known for one generation and then written again with the rows
 * that name them. So what is older than the generation of the oldest row is needed by none, and
 * goes with the rows of its time.
 */
final class Known {
  /** Who sends something again does so within seconds: this is many of them. */
  private static final int SPANS = 500_000;

  private static final int PROFILES = 10_000;

  LongSet stacks = new LongSet(16);
  LongSet frames = new LongSet(16);

  /** When each process was last said to have been seen, in microseconds since 1970. */
  final Map<Long, Long> processes = new HashMap<>();

  /** When each process was first seen, in whatever generation. */
  final Map<Long, Long> firstSeen = new HashMap<>();

  SeenIds spans = new SeenIds(SPANS);
  SeenIds profiles = new SeenIds(PROFILES);
  long nextSeq;

  private final long generationBytes;
  private final long generationMicros;
  private long generation;
  private long writtenBytes;
  private long lastReceived;

  /**
   * @param generationBytes after how much of rows a generation ends
   * @param generationMicros after which time it ends
   */
  Known(long generationBytes, long generationMicros) {
    this.generationBytes = generationBytes;
    this.generationMicros = generationMicros;
  }

  /**
   * The time at which rows that are to be written now have come; no two transactions have the same.
   *
   * @param bytes what they take
   */
  long receive(long nowMicros, long bytes) {
    lastReceived = Math.max(nowMicros, lastReceived + 1);
    if (generation == 0
        || writtenBytes > generationBytes
        || lastReceived - generation > generationMicros) {
      endGeneration();
      generation = lastReceived;
    }
    writtenBytes += bytes;
    return lastReceived;
  }

  /** When the generation began. */
  long generation() {
    return generation;
  }

  /** When the last rows came. */
  long lastReceived() {
    return lastReceived;
  }

  /** From now on nothing is known, so that all is written again. */
  void endGeneration() {
    generation = 0;
    writtenBytes = 0;
    stacks = new LongSet(16);
    frames = new LongSet(16);
    processes.clear();
  }

  void load(Connection connection) throws SQLException {
    endGeneration();
    loadFirstSeen(connection);
    spans = new SeenIds(SPANS);
    profiles = new SeenIds(PROFILES);
    String last = "SELECT trace_id, span_id FROM spans ORDER BY rowid DESC LIMIT " + SPANS;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(last)) {
      while (rows.next()) {
        spans.add(rows.getString(1), rows.getString(2));
      }
    }
    nextSeq = Math.max(nextSeq, number(connection, "SELECT max(seq) FROM logs") + 1);
    for (String table : new String[] {"spans", "logs", "samples"}) {
      lastReceived =
          Math.max(
              lastReceived, number(connection, "SELECT epoch_us(max(received)) FROM " + table));
    }
  }

  /** Forgets processes of which nothing is left. */
  void loadFirstSeen(Connection connection) throws SQLException {
    firstSeen.clear();
    String question = "SELECT process_id, epoch_us(first_seen) FROM processes";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      while (rows.next()) {
        firstSeen.put(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  private static long number(Connection connection, String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
