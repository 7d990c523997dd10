/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.database.Reading;
import dev.sennit.store.database.StoreException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question in SQL, row by row as the database finds them. To be closed by whoever
 * reads it; another thread may cancel it.
 */
public final class SqlRows implements AutoCloseable {
  private static final Pattern KIND = Pattern.compile("^[A-Za-z ]+ Error: ");

  /** A column of the answer, with the database's name for its type. */
  public record Column(String name, String type) {}

  private final Reading reading;
  private final Statement statement;
  private final ResultSet rows;
  private final List<Column> columns;
  private final Duration limit;
  private final long deadline;
  private volatile boolean canceled;

  SqlRows(Reading reading, String sql, Duration limit) throws SQLException {
    this.reading = reading;
    this.limit = limit;
    this.deadline = System.nanoTime() + limit.toNanos();
    statement = reading.connection().createStatement();
    statement.setQueryTimeout(Math.toIntExact(Math.max(1, limit.toSeconds())));
    try {
      rows = statement.executeQuery(sql);
    } catch (SQLException e) {
      throw failure(e);
    }
    columns = columns(rows.getMetaData());
  }

  private static List<Column> columns(ResultSetMetaData description) throws SQLException {
    List<Column> columns = new ArrayList<>();
    for (int i = 1; i <= description.getColumnCount(); i++) {
      columns.add(new Column(description.getColumnLabel(i), description.getColumnTypeName(i)));
    }
    return List.copyOf(columns);
  }

  public List<Column> columns() {
    return columns;
  }

  /**
   * The next row: numbers and truth values as such, everything else as the database writes it; null
   * after the last.
   *
   * @throws StoreException if it took too long, was cancelled, or failed
   */
  public @Nullable List<@Nullable Object> next() {
    if (canceled || System.nanoTime() - deadline >= 0) {
      throw failure(null);
    }
    try {
      if (!rows.next()) {
        return null;
      }
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.size(); i++) {
        @Nullable Object value = rows.getObject(i);
        row.add(
            value instanceof Number || value instanceof Boolean || value == null
                ? value
                : rows.getString(i));
      }
      return row;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Ends the answer: who reads it gets a failure. */
  public void cancel() {
    canceled = true;
    try {
      statement.cancel();
    } catch (SQLException e) {
      // It is closed already, or sees it at the next row.
    }
  }

  private StoreException failure(@Nullable SQLException cause) {
    if (canceled) {
      return new StoreException("the question was cancelled");
    }
    if (System.nanoTime() - deadline >= 0) {
      return new StoreException("the answer took longer than " + limit.toSeconds() + " s");
    }
    return new StoreException(line(cause));
  }

  /** What the database objects to, in one line. */
  static String line(@Nullable Exception failure) {
    String text = failure == null ? "" : String.valueOf(failure.getMessage());
    String joined = String.join(" ", text.lines().map(String::strip).toList()).strip();
    return KIND.matcher(joined).replaceFirst("");
  }

  @Override
  public void close() {
    try (reading;
        statement) {
      rows.close();
    } catch (SQLException e) {
      throw new StoreException(line(e), e);
    }
  }
}
