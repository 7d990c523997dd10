/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.store.StoreReader;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.SqlRows;
import dev.sennit.store.query.SqlRows.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store: its file, or the process that has it, for only one process at a time can open the
 * file while it is written to.
 */
public final class StoreQuestions {
  private StoreQuestions() {}

  /**
   * Asks a question.
   *
   * @throws StoreException if there is no store, or the question is wrong
   */
  public static Rows ask(Path file, String sql, Duration limit) {
    Path socket = StoreSocket.path(file);
    if (Files.exists(socket)) {
      try {
        return AnsweredRows.ask(socket, sql, limit);
      } catch (IOException e) {
        // It was left behind by one that was killed.
      }
    }
    // Nothing is exported here, but the store wants to know where that could go.
    StoreReader reader = StoreReader.open(file, Path.of("").toAbsolutePath());
    try {
      return new ReadRows(reader, reader.queries().sql().ask(sql, limit));
    } catch (StoreException e) {
      reader.close();
      throw e;
    }
  }

  private record ReadRows(StoreReader reader, SqlRows rows) implements Rows {
    @Override
    public List<Column> columns() {
      return rows.columns();
    }

    @Override
    public @Nullable List<@Nullable Object> next() {
      return rows.next();
    }

    @Override
    public void close() {
      rows.close();
      reader.close();
    }
  }
}
