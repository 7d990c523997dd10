/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static dev.sennit.store.Otlp.span;
import static dev.sennit.store.Otlp.trace;
import static dev.sennit.store.Otlp.traces;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.store.StoreReader;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.TestStore;
import dev.sennit.store.database.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlQueriesTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir static Path folder;
  private static TelemetryStore store;

  @BeforeAll
  static void fill() throws InterruptedException {
    store = TelemetryStore.open(folder.resolve("sql.duckdb"), StoreSettings.NAMED);
    TestStore.settle(store, store.traces(traces("shop", span(trace(1), span(1), "one"))));
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM spans",
        "SELECT 1; DROP TABLE spans",
        "COMMIT; DROP TABLE spans",
        "COPY spans TO 'stolen.csv'",
        "ATTACH 'other.duckdb'",
        "SET memory_limit = '1TB'",
        "PRAGMA force_checkpoint",
        "CREATE TABLE mine (i INTEGER)",
        "INSTALL httpfs",
        "EXPORT DATABASE 'all'",
        "CHECKPOINT"
      })
  void whatIsNoQuestionIsRefused(String sql) {
    assertThatThrownBy(() -> store.queries().sql().ask(sql, LONG))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("only questions are answered");
    assertThat(TestStore.number(store, "SELECT count(*) FROM spans")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_csv('http://127.0.0.1/x.csv')"
      })
  void otherFilesAreOutOfReach(String sql) {
    assertThatThrownBy(() -> TestStore.ask(store, sql)).isInstanceOf(StoreException.class);
  }

  @Test
  void aMistakeIsALineThatSaysWhere() {
    assertThatThrownBy(() -> TestStore.ask(store, "SELEC 1"))
        .hasMessageContaining("syntax error at or near \"SELEC\"");
    assertThatThrownBy(() -> TestStore.ask(store, "SELECT nme FROM spans"))
        .hasMessageContaining("nme")
        .message()
        .hasLineCount(1);
    assertThatThrownBy(() -> TestStore.ask(store, " ; "))
        .hasMessage("one question is expected, but there are 0");
    assertThatThrownBy(() -> TestStore.ask(store, "SELECT 1; SELECT 2"))
        .hasMessage("one question is expected, but there are 2");
  }

  @Test
  void questionsOfEveryKindAreAnswered() {
    assertThat(TestStore.ask(store, "FROM traces SELECT root_name, spans"))
        .containsExactly(TestStore.row("one", 1L));
    assertThat(TestStore.ask(store, "DESCRIBE spans")).hasSizeGreaterThan(10);
    assertThat(TestStore.ask(store, "SHOW TABLES")).hasSizeGreaterThan(8);
    assertThat(TestStore.ask(store, "WITH x AS (SELECT 1) SELECT * FROM x;")).hasSize(1);
    try (SqlRows rows =
        store.queries().sql().ask("SELECT 1 AS a, 'b' AS c, NULL::INTEGER AS d", LONG)) {
      assertThat(rows.columns())
          .containsExactly(
              new SqlRows.Column("a", "INTEGER"),
              new SqlRows.Column("c", "VARCHAR"),
              new SqlRows.Column("d", "INTEGER"));
      assertThat(rows.next()).isEqualTo(TestStore.row(1, "b", null));
      assertThat(rows.next()).isNull();
    }
  }

  @Test
  void anAnswerWithoutEndComesRowByRowAndCanBeCancelled() {
    SqlRows rows = store.queries().sql().ask("SELECT * FROM range(1000000000000)", LONG);
    try (rows) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(rows.next()).isNotNull();
      }
      rows.cancel();
      assertThatThrownBy(rows::next).hasMessage("the question was cancelled");
    }
  }

  @Test
  void anAnswerThatTakesTooLongEnds() {
    String hard = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b";
    assertThatThrownBy(
            () -> {
              try (SqlRows rows = store.queries().sql().ask(hard, Duration.ofSeconds(1))) {
                rows.next();
              }
            })
        .hasMessage("the answer took longer than 1 s");
    assertThat(TestStore.number(store, "SELECT 1")).isEqualTo(1);
  }

  @Test
  void everyTableIsExportedWhileTheStoreIsOpenAndWhenItIsClosed() throws Exception {
    Path open = folder.resolve("o'pen");
    List<Path> files = store.queries().exportParquet(open);
    assertThat(files).hasSize(8).allMatch(Files::isRegularFile);
    assertThat(folder.resolve("sql.duckdb.export")).doesNotExist();

    Path file = folder.resolve("closed.duckdb");
    try (TelemetryStore other = TelemetryStore.open(file, StoreSettings.NAMED)) {
      TestStore.settle(other, other.traces(traces("shop", span(trace(1), span(1), "one"))));
    }
    Path closed = folder.resolve("closed");
    try (StoreReader reader = StoreReader.open(file, closed)) {
      reader.queries().exportParquet(closed);
      try (SqlRows rows =
          reader
              .queries()
              .sql()
              .ask("SELECT name FROM '" + closed.resolve("spans.parquet") + "'", LONG)) {
        assertThat(rows.next()).isEqualTo(TestStore.row("one"));
      }
    }
  }
}
