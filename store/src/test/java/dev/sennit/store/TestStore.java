/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.intake.Answer;
import dev.sennit.store.query.SqlRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tests do with stores. */
public final class TestStore {
  private TestStore() {}

  /** Waits for what was sent, after having looked at the answers. */
  public static void settle(TelemetryStore store, Answer... answers) throws InterruptedException {
    assertThat(answers).allMatch(answer -> answer.equals(Answer.TAKEN));
    store.flush();
    assertThat(store.statistics().written().lastFailure()).isNull();
  }

  /** The rows that answer a question. */
  public static List<List<@Nullable Object>> ask(TelemetryStore store, String sql) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (SqlRows answer = store.queries().sql().ask(sql, Duration.ofSeconds(20))) {
      for (@Nullable List<@Nullable Object> row = answer.next(); row != null; row = answer.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** The one number that answers a question. */
  public static long number(TelemetryStore store, String sql) {
    Object value = ask(store, sql).getFirst().getFirst();
    return value instanceof Number number ? number.longValue() : -1;
  }

  public static List<@Nullable Object> row(@Nullable Object... values) {
    List<@Nullable Object> row = new ArrayList<>();
    for (@Nullable Object value : values) {
      row.add(value);
    }
    return row;
  }
}
