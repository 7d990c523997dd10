/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How long something took, in nanoseconds: half of them, 95 of a hundred and 99 of a hundred took
 * no longer than that. All are 0 where there was nothing.
 */
public record Latency(long p50, long p95, long p99) {
  /** A column of a statement, over the rows that {@code filter} lets pass. */
  static String column(String filter) {
    // As a list they are found together, in a third of the time.
    return "quantile_disc(duration_ns, [0.5, 0.95, 0.99])" + filter;
  }

  static Latency read(ResultSet row, int column) throws SQLException {
    @Nullable Array all = row.getArray(column);
    if (all == null) {
      return new Latency(0, 0, 0);
    }
    Object[] quantiles = (Object[]) all.getArray();
    return new Latency((Long) quantiles[0], (Long) quantiles[1], (Long) quantiles[2]);
  }
}
