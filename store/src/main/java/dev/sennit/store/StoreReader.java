/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import dev.sennit.store.database.Database;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.StoreQueries;
import java.nio.file.Path;

/** A store that is only read. Several processes may do so at a time, while none writes to it. */
public final class StoreReader implements AutoCloseable {
  private static final long MEMORY_BYTES = 512L << 20;

  private final Database database;
  private final StoreQueries queries;

  private StoreReader(Database database) {
    this.database = database;
    queries = new StoreQueries(database);
  }

  /**
   * Opens a file.
   *
   * @param exportFolder the one folder to which {@link StoreQueries#exportParquet} may write
   * @throws StoreException if it is not there, is something else, or a process writes to it
   */
  public static StoreReader open(Path file, Path exportFolder) {
    return new StoreReader(Database.openForReading(file, MEMORY_BYTES, exportFolder));
  }

  public StoreQueries queries() {
    return queries;
  }

  @Override
  public void close() {
    database.close();
  }
}
