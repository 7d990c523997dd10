/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import dev.sennit.tracing.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a query: nothing of it but this leaves the parser that saw it.
 *
 * @param text without literals and comments
 * @param summary operations and their targets in the order of the query
 * @param operation if the query has a single one
 * @param collection likewise
 * @param procedure likewise
 */
public record Sql(
    String text,
    @Nullable String summary,
    @Nullable String operation,
    @Nullable String collection,
    @Nullable String procedure) {
  /** How much of a query is looked at. */
  public static final int MOST_BYTES = 4096;

  /** Of a query whose text was not seen. */
  public static final Sql UNKNOWN = new Sql("", null, null, null, null);

  /** What has a name and no text. */
  public static Sql command(String operation) {
    return new Sql("", null, operation, null, null);
  }

  /**
   * Reads a query, or several.
   *
   * @param cut whether the text goes on behind what is given
   */
  public static Sql read(String query, SqlDialect dialect, boolean cut) {
    SqlSummary summary = SqlSummary.of(query, dialect, cut);
    return new Sql(
        SqlText.sanitise(query, dialect),
        summary.text(),
        summary.operation(),
        summary.collection(),
        summary.procedure());
  }

  /** Names an exchange, and puts what is known. */
  public Exchange describe(Exchange exchange) {
    String name = summary == null ? operation : summary;
    if (name != null) {
      exchange.name(name);
    }
    return exchange
        .put("db.query.text", text.isEmpty() ? null : text)
        .put("db.query.summary", summary)
        .put("db.operation.name", operation)
        .put("db.collection.name", collection)
        .put("db.stored_procedure.name", procedure);
  }
}
