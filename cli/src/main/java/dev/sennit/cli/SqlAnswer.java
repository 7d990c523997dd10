/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.local.Rows;
import dev.sennit.cli.local.SqlValues;
import dev.sennit.store.query.SqlRows.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows that answer a question, as people or programs want them. */
final class SqlAnswer {
  /** A cell of a table on a terminal. */
  private static final int MAX_CELL = 60;

  private final Rows rows;
  private final PrintWriter out;

  SqlAnswer(Rows rows, PrintWriter out) {
    this.rows = rows;
    this.out = out;
  }

  /** Prints the first rows under their names; whether there are more. */
  boolean asTable(Terminal terminal, int limit) {
    Table table =
        new Table(
            rows.columns().stream()
                .map(column -> Printable.of(column.name().toUpperCase(Locale.ROOT), MAX_CELL))
                .toArray(String[]::new));
    int count = 0;
    @Nullable List<@Nullable Object> row = rows.next();
    for (; row != null && count < limit; row = rows.next(), count++) {
      table.add(row.stream().map(value -> cell(value, terminal)).toArray(String[]::new));
    }
    List<String> lines = table.lines();
    out.println(terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(out::println);
    return row != null;
  }

  private static String cell(@Nullable Object value, Terminal terminal) {
    if (value == null) {
      return "-";
    }
    return terminal.interactive()
        ? Printable.of(value.toString(), MAX_CELL)
        : Printable.of(value.toString());
  }

  void asCsv() {
    out.println(
        rows.columns().stream()
            .map(column -> quoted(column.name()))
            .collect(Collectors.joining(",")));
    for (@Nullable List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
      out.println(
          row.stream()
              .map(value -> value == null ? "" : quoted(value.toString()))
              .collect(Collectors.joining(",")));
    }
  }

  private static String quoted(String text) {
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain && !text.isEmpty() ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  void asJson() throws IOException {
    Json.write(
        out,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("columns");
          for (Column column : rows.columns()) {
            json.writeStartObject();
            json.writeStringField("name", column.name());
            json.writeStringField("type", column.type());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayFieldStart("rows");
          for (@Nullable List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
            json.writeStartArray();
            for (@Nullable Object value : row) {
              SqlValues.write(value, json);
            }
            json.writeEndArray();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
    out.println();
  }
}
