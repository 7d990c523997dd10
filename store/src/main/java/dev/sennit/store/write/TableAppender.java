/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.sql.SQLException;
import java.util.Collection;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Adds rows to a table, column by column; what is null is NULL. */
final class TableAppender implements AutoCloseable {
  private final DuckDBAppender appender;

  TableAppender(DuckDBConnection connection, String table) throws SQLException {
    appender = connection.createAppender(table);
  }

  TableAppender row() throws SQLException {
    appender.beginRow();
    return this;
  }

  void end() throws SQLException {
    appender.endRow();
  }

  TableAppender text(@Nullable String value) throws SQLException {
    if (value == null) {
      appender.appendNull();
    } else {
      appender.append(value);
    }
    return this;
  }

  TableAppender number(long value) throws SQLException {
    appender.append(value);
    return this;
  }

  TableAppender number(@Nullable Long value) throws SQLException {
    if (value == null) {
      appender.appendNull();
    } else {
      appender.append(value.longValue());
    }
    return this;
  }

  TableAppender integer(int value) throws SQLException {
    appender.append(value);
    return this;
  }

  TableAppender nanos(long value) throws SQLException {
    appender.appendEpochNanos(value);
    return this;
  }

  TableAppender micros(long value) throws SQLException {
    appender.appendEpochMicros(value);
    return this;
  }

  TableAppender list(Collection<Long> values) throws SQLException {
    appender.append(values);
    return this;
  }

  @Override
  public void close() throws SQLException {
    appender.close();
  }
}
