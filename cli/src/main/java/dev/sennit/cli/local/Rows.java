/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import dev.sennit.store.query.SqlRows.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a question in SQL, from whoever has the store. */
public interface Rows extends AutoCloseable {
  List<Column> columns();

  /**
   * The next row; null after the last.
   *
   * @throws dev.sennit.store.database.StoreException if it failed
   */
  @Nullable List<@Nullable Object> next();

  @Override
  void close();
}
