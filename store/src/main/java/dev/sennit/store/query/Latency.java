/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How long something took, in nanoseconds: half of them, 95 of a hundred and 99 of a hundred took
 * no longer than that. All are 0 where there was nothing.
 */
public record Latency(long p50, long p95, long p99) {
  /** Three columns of a statement, over the rows that {@code filter} lets pass. */
  static String columns(String filter) {
    return "quantile_disc(duration_ns, 0.5)"
        + filter
        + ", quantile_disc(duration_ns, 0.95)"
        + filter
        + ", quantile_disc(duration_ns, 0.99)"
        + filter;
  }

  static Latency read(ResultSet row, int column) throws SQLException {
    return new Latency(row.getLong(column), row.getLong(column + 1), row.getLong(column + 2));
  }
}
