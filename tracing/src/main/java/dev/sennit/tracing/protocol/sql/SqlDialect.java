/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

/** How a database reads quotes and comments, which decides where a literal ends. */
public enum SqlDialect {
  /** PostgreSQL with {@code standard_conforming_strings=on}, as it is unless switched off. */
  POSTGRES(true, false),
  /** PostgreSQL where a backslash escapes in every string. */
  POSTGRES_BACKSLASHES(true, true),
  /** MySQL and MariaDB. With ANSI_QUOTES, identifiers in double quotes are taken for literals. */
  MYSQL(false, true),
  /** MySQL and MariaDB in the mode NO_BACKSLASH_ESCAPES. */
  MYSQL_PLAIN_BACKSLASHES(false, false);

  private final boolean postgres;
  private final boolean backslashes;

  SqlDialect(boolean postgres, boolean backslashes) {
    this.postgres = postgres;
    this.backslashes = backslashes;
  }

  boolean isPostgres() {
    return postgres;
  }

  boolean hasBackslashes() {
    return backslashes;
  }
}
