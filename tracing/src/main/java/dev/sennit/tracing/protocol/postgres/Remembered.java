/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.Recent;
import dev.sennit.tracing.protocol.sql.Sql;
import dev.sennit.tracing.protocol.sql.SqlDialect;
import dev.sennit.tracing.traffic.Inflow;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What both ends of a connection remember: database and schema, statements and portals. */
final class Remembered {
  private static final int MOST_STATEMENTS = 1024;
  private static final int MOST_PORTALS = 256;
  private static final int LONGEST_NAME = 256;

  private final Recent<String, Sql> statements = new Recent<>(MOST_STATEMENTS);
  private final Recent<String, Sql> portals = new Recent<>(MOST_PORTALS);
  private @Nullable String database;
  private @Nullable String schema;
  private SqlDialect dialect = SqlDialect.POSTGRES;

  /** As the conventions write it: {@code database|schema}, or what is known of it. */
  @Nullable String namespace() {
    if (database == null) {
      return schema;
    }
    return schema == null ? database : database + "|" + schema;
  }

  SqlDialect dialect() {
    return dialect;
  }

  /** Takes the parameters of a start-up message; nothing of the user. */
  void startUp(Inflow in, int from, int to) {
    int at = from;
    while (at < to) {
      String key = text(in, at, to);
      int value = at + key.length() + 1;
      if (key.isEmpty() || value >= to) {
        return;
      }
      int end = in.indexOf(0, value);
      if (end < 0 || end >= to) {
        return;
      }
      if (key.equals("database")) {
        database = in.utf8(value, end - value);
      } else if (key.equals("search_path")) {
        schema = firstOf(in.utf8(value, end - value));
      }
      at = end + 1;
    }
  }

  /** Takes what the server reports of a parameter. */
  void parameter(Inflow in, int from, int to) {
    String key = text(in, from, to);
    String value = text(in, from + key.length() + 1, to);
    if (key.equals("standard_conforming_strings")) {
      dialect = value.equals("off") ? SqlDialect.POSTGRES_BACKSLASHES : SqlDialect.POSTGRES;
    } else if (key.equals("search_path")) {
      schema = firstOf(value);
    }
  }

  /** The first schema of a search path, unless it is that of the user. */
  private static @Nullable String firstOf(String path) {
    int comma = path.indexOf(',');
    String first = (comma < 0 ? path : path.substring(0, comma)).strip().replace("\"", "");
    return first.isEmpty() || first.equals("$user") ? null : first;
  }

  /** Takes the name and the text of a statement. */
  Sql parsed(Inflow in, int from, int to) {
    String name = text(in, from, Math.min(to, from + LONGEST_NAME));
    int query = from + name.length() + 1;
    Sql sql = read(in, query, to, in.indexOf(0, Math.min(query, to)));
    statements.put(name, sql);
    return sql;
  }

  /** The query that is the whole message. A zero in its midst is of another one, after a loss. */
  Sql query(Inflow in, int from, int to, boolean cut) {
    int zero = in.indexOf(0, from);
    return cut || zero != to - 1
        ? read(in, from, zero < 0 ? to : Math.min(zero, to), -1)
        : read(in, from, to, zero);
  }

  private Sql read(Inflow in, int from, int to, int zero) {
    if (from >= to) {
      return Sql.UNKNOWN;
    }
    boolean ended = zero >= 0 && zero < to && zero - from <= Sql.MOST_BYTES;
    int end = ended ? zero : Math.min(to, from + Sql.MOST_BYTES);
    return Sql.read(in.utf8(from, end - from), dialect, !ended);
  }

  /** Takes the names of a portal and of its statement. */
  Sql bound(Inflow in, int from, int to) {
    String portal = text(in, from, Math.min(to, from + LONGEST_NAME));
    String statement = text(in, from + portal.length() + 1, to);
    Sql sql = statements.get(statement);
    portals.put(portal, sql == null ? Sql.UNKNOWN : sql);
    return sql == null ? Sql.UNKNOWN : sql;
  }

  Sql portal(Inflow in, int from, int to) {
    Sql sql = portals.get(text(in, from, to));
    return sql == null ? Sql.UNKNOWN : sql;
  }

  /** A statement ({@code S}) or a portal ({@code P}). */
  Sql described(Inflow in, int from, int to) {
    if (from >= to) {
      return Sql.UNKNOWN;
    }
    String name = text(in, from + 1, to);
    Sql sql = in.get(from) == 'S' ? statements.get(name) : portals.get(name);
    return sql == null ? Sql.UNKNOWN : sql;
  }

  void closed(Inflow in, int from, int to) {
    if (from < to) {
      String name = text(in, from + 1, to);
      (in.get(from) == 'S' ? statements : portals).remove(name);
    }
  }

  /** By DEALLOCATE ALL or DISCARD ALL. */
  void forgetStatements() {
    statements.clear();
  }

  /** Text up to a zero, or as far as it is at hand. */
  private static String text(Inflow in, int from, int to) {
    if (from >= to) {
      return "";
    }
    int zero = in.indexOf(0, from);
    int end = zero < 0 || zero > to ? to : zero;
    return new String(in.bytes(from, end - from), StandardCharsets.ISO_8859_1);
  }
}
