/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.database.Reading;
import dev.sennit.store.database.StoreException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions in SQL that people type. Only what reads is let through: one statement that is a
 * question, in a transaction that cannot write, in a database that reaches no other file.
 */
public final class SqlQueries {
  private static final String CHECK =
      """
      SELECT
        parsed ->> '/error' = 'true',
        parsed ->> '/error_type',
        parsed ->> '/error_message',
        json_array_length(parsed, '/statements')
      FROM (SELECT json_serialize_sql(?::VARCHAR) AS parsed)
      """;

  private final Asking asking;

  SqlQueries(Asking asking) {
    this.asking = asking;
  }

  /**
   * Asks a question.
   *
   * @param limit after which the answer ends with a {@link StoreException}
   * @throws StoreException if it is no question, or wrong
   */
  public SqlRows ask(String sql, Duration limit) {
    @Nullable String objection =
        asking
            .ask(
                CHECK,
                List.of(sql),
                row ->
                    objection(
                        row.getBoolean(1), row.getString(2), row.getString(3), row.getLong(4)))
            .getFirst();
    if (!objection.isEmpty()) {
      throw new StoreException(objection);
    }
    Reading reading = asking.database().read();
    try {
      try (Statement statement = reading.connection().createStatement()) {
        statement.execute("BEGIN TRANSACTION READ ONLY");
      }
      return new SqlRows(reading, sql, limit);
    } catch (SQLException | StoreException e) {
      close(reading, e);
      throw e instanceof StoreException known ? known : new StoreException(SqlRows.line(e), e);
    }
  }

  /** Empty if there is none. */
  private static String objection(
      boolean failed, @Nullable String type, @Nullable String message, long statements) {
    if (!failed) {
      return statements == 1 ? "" : "one question is expected, but there are " + statements;
    }
    return "not implemented".equals(type)
        ? "only questions are answered: a single SELECT, FROM, WITH, DESCRIBE, SHOW or SUMMARIZE"
        : String.valueOf(message);
  }

  private static void close(Reading reading, Exception failure) {
    try {
      reading.close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
