/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.database.Database;
import dev.sennit.store.database.Reading;
import dev.sennit.store.database.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a store: a few questions at a time, each with a limit of time. */
final class Asking {
  private static final int AT_A_TIME = 4;
  private static final int SECONDS = 20;

  private final Database database;
  private final Semaphore permits = new Semaphore(AT_A_TIME);

  Asking(Database database) {
    this.database = database;
  }

  /** What makes a result of a row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  Database database() {
    return database;
  }

  <T> List<T> ask(String question, List<?> parameters, Row<T> row) {
    permits.acquireUninterruptibly();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    try (Reading reading = database.read();
        PreparedStatement statement = reading.connection().prepareStatement(question)) {
      statement.setQueryTimeout(SECONDS);
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet answer = statement.executeQuery()) {
        while (answer.next()) {
          rows.add(row.read(answer));
        }
      }
      return rows;
    } catch (SQLException e) {
      // What the database says of a question that it was told to leave is not helpful.
      String reason =
          System.nanoTime() - deadline >= 0
              ? "the answer took longer than " + SECONDS + " s"
              : e.getMessage();
      throw new StoreException(database.file() + ": " + reason, e);
    } finally {
      permits.release();
    }
  }

  /** A sum that stops at the largest number, for what is summed comes from strangers. */
  static String sum(String column) {
    return "least(sum(" + column + "), 9223372036854775807)::BIGINT";
  }

  static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : (Long) value;
  }
}
