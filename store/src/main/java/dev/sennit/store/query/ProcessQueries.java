/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is asked of processes. */
public final class ProcessQueries {
  private static final String LIST =
      """
      SELECT
        process_id, service, instance, host, pid,
        epoch_us(first_seen) * 1000, epoch_us(last_seen) * 1000, resource
      FROM processes
      WHERE {where}
      ORDER BY last_seen DESC, service, process_id
      LIMIT ?
      """;

  private final Asking asking;

  ProcessQueries(Asking asking) {
    this.asking = asking;
  }

  /** All processes of which there is something, the last seen first. */
  public Page<ProcessInfo> list(int limit) {
    return Page.of(
        asking.ask(LIST.replace("{where}", "true"), List.of(limit + 1), ProcessQueries::read),
        limit);
  }

  List<ProcessInfo> byId(Set<Long> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    String all = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return asking.ask(
        LIST.replace("{where}", "process_id IN (" + all + ")"),
        List.of(ids.size()),
        ProcessQueries::read);
  }

  private static ProcessInfo read(ResultSet row) throws SQLException {
    return new ProcessInfo(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        Asking.number(row, 5),
        row.getLong(6),
        row.getLong(7),
        row.getString(8));
  }
}
