/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.database;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.duckdb.DuckDBConnection;

/** A connection of somebody who reads. As long as it is open, no room becomes free in the file. */
public final class Reading implements AutoCloseable {
  private final DuckDBConnection connection;
  private final Semaphore readers;
  private final AtomicBoolean closed = new AtomicBoolean();

  Reading(DuckDBConnection connection, Semaphore readers) {
    this.connection = connection;
    this.readers = readers;
  }

  public DuckDBConnection connection() {
    return connection;
  }

  @Override
  public void close() throws SQLException {
    if (closed.compareAndSet(false, true)) {
      try {
        connection.close();
      } finally {
        readers.release();
      }
    }
  }
}
