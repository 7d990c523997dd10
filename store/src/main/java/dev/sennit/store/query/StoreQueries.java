/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import dev.sennit.store.database.Database;
import java.nio.file.Path;
import java.util.List;

/** All that can be asked of a store, by what it is about. Any number of threads may ask. */
public final class StoreQueries {
  private final Database database;
  private final ServiceQueries services;
  private final TraceQueries traces;
  private final LogQueries logs;
  private final ProfileQueries profiles;
  private final ProcessQueries processes;
  private final SqlQueries sql;

  public StoreQueries(Database database) {
    this.database = database;
    Asking asking = new Asking(database);
    services = new ServiceQueries(asking);
    logs = new LogQueries(asking);
    processes = new ProcessQueries(asking);
    traces = new TraceQueries(asking, logs, processes);
    profiles = new ProfileQueries(asking);
    sql = new SqlQueries(asking);
  }

  public ServiceQueries services() {
    return services;
  }

  public TraceQueries traces() {
    return traces;
  }

  public LogQueries logs() {
    return logs;
  }

  public ProfileQueries profiles() {
    return profiles;
  }

  public ProcessQueries processes() {
    return processes;
  }

  public SqlQueries sql() {
    return sql;
  }

  /** Writes every table into a Parquet file of its name in a folder; the files. */
  public List<Path> exportParquet(Path folder) {
    return ParquetExport.run(database, folder);
  }
}
