/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlSummaryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          # The examples of the conventions
          SELECT * FROM wuser_table WHERE username = ? | SELECT wuser_table | SELECT | wuser_table
          INSERT INTO shipping_details (order_id, address) SELECT order_id, address FROM orders WHERE order_id = ? | INSERT shipping_details SELECT orders ||
          SELECT * FROM songs, artists WHERE songs.artist_id == artists.id | SELECT songs artists | SELECT |
          SELECT order_date FROM (SELECT * FROM orders o JOIN customers c ON o.customer_id = c.customer_id) | SELECT SELECT orders customers | SELECT |
          SELECT * FROM "song list", x | SELECT "song list" x | SELECT |
          # Everyday
          select 1 | select | select |
          SELECT a FROM public.users u WHERE u.id IN (SELECT id FROM public.users) | SELECT public.users SELECT public.users | SELECT | public.users
          SELECT EXTRACT(YEAR FROM ts), SUBSTRING(a FROM 1), a IS DISTINCT FROM b FROM t | SELECT t | SELECT | t
          SELECT * FROM a LEFT JOIN (b CROSS JOIN c) ON a.x = b.x, d WHERE e, f | SELECT a b c d | SELECT |
          SELECT * FROM generate_series(1, 3) g, t | SELECT t | SELECT | t
          SELECT * FROM t FOR UPDATE | SELECT t | SELECT | t
          SELECT a FROM t UNION ALL SELECT b FROM u ORDER BY c, d | SELECT t SELECT u | SELECT |
          SELECT (SELECT max(x) FROM u), y FROM t | SELECT SELECT u t | SELECT |
          INSERT INTO t(a, start) VALUES (1, 2) ON CONFLICT (a) DO UPDATE SET b = 1 | INSERT t | INSERT | t
          insert ignore into `t` set a = 1 on duplicate key update b = 2 | insert `t` | insert | `t`
          REPLACE INTO t VALUES (REPLACE('a', 'b', 'c')) | REPLACE t | REPLACE | t
          UPDATE ONLY t SET a = 1, b = 2 FROM u WHERE x | UPDATE t u | UPDATE |
          UPDATE a, b SET a.x = 1, b.y = 2 | UPDATE a b | UPDATE |
          DELETE FROM t USING u WHERE t.a = u.a | DELETE t u | DELETE |
          DELETE a FROM t a JOIN u ON true | DELETE t u | DELETE |
          MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT VALUES (1) | MERGE t s | MERGE |
          WITH x AS (SELECT * FROM orders), "y" (a) AS (DELETE FROM old RETURNING *) SELECT * FROM x, "y", z | SELECT orders DELETE old SELECT z ||
          WITH RECURSIVE x AS (SELECT 1 UNION SELECT n FROM x) SELECT * FROM x | SELECT SELECT SELECT | SELECT |
          WITH x AS (SELECT 1) UPDATE t SET a = 1 | SELECT UPDATE t || t
          CREATE TEMPORARY TABLE IF NOT EXISTS s.t (a int, select_b int) | CREATE TABLE s.t | CREATE TABLE | s.t
          CREATE UNIQUE INDEX CONCURRENTLY i ON t (a) | CREATE INDEX i | CREATE INDEX |
          CREATE INDEX ON t (a) | CREATE INDEX | CREATE INDEX |
          CREATE OR REPLACE VIEW v AS SELECT * FROM t | CREATE VIEW v SELECT t ||
          CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END | CREATE FUNCTION f | CREATE FUNCTION |
          CREATE USER alice PASSWORD 'x' | CREATE USER | CREATE USER |
          DROP TABLE IF EXISTS a, b CASCADE | DROP TABLE a b | DROP TABLE |
          ALTER  TABLE t ADD COLUMN a int | ALTER TABLE t | ALTER TABLE | t
          TRUNCATE TABLE t | TRUNCATE t | TRUNCATE | t
          BEGIN; INSERT INTO t VALUES (1); COMMIT | BEGIN INSERT t COMMIT || t
          START TRANSACTION READ ONLY | START TRANSACTION | START TRANSACTION |
          SET search_path TO secret | SET | SET |
          SHOW TABLES FROM shop | SHOW | SHOW |
          USE shop | USE shop | USE |
          COPY t (a, b) FROM STDIN | COPY t | COPY | t
          COPY (SELECT * FROM t) TO STDOUT | COPY SELECT t || t
          LOAD DATA LOCAL INFILE 'x' INTO TABLE t FIELDS TERMINATED BY ',' | LOAD DATA t | LOAD DATA | t
          LOCK TABLES a READ, b WRITE | LOCK a b | LOCK |
          EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1 | EXPLAIN UPDATE t || t
          EXPLAIN ANALYZE SELECT * FROM t | EXPLAIN SELECT t || t
          PREPARE s AS INSERT INTO t VALUES ($1) | PREPARE INSERT t || t
          DECLARE c CURSOR FOR SELECT * FROM t | DECLARE SELECT t || t
          FETCH 10 FROM c | FETCH | FETCH |
          SAVEPOINT s1 | SAVEPOINT | SAVEPOINT |
          secret words of nobody |||
          ''''' |||
          """)
  void operationsAndTargetsAreToldInTheirOrder(
      String query,
      @Nullable String summary,
      @Nullable String operation,
      @Nullable String collection) {
    boolean backticks = query.indexOf('`') >= 0;
    Sql sql = Sql.read(query, backticks ? SqlDialect.MYSQL : SqlDialect.POSTGRES, false);
    assertThat(sql.summary()).isEqualTo(summary);
    assertThat(sql.operation()).isEqualTo(operation);
    assertThat(sql.collection()).isEqualTo(collection);
    assertThat(sql.procedure()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CALL shop.restock(1, 2) | CALL shop.restock | CALL | shop.restock
          call p | call p | call | p
          EXEC GetCustomer @id = 1 | EXEC GetCustomer | EXEC | GetCustomer
          EXECUTE s (1) | EXECUTE s | EXECUTE |
          """)
  void proceduresAreNoCollections(
      String query, String summary, String operation, @Nullable String procedure) {
    Sql sql = Sql.read(query, SqlDialect.MYSQL, false);
    assertThat(sql.summary()).isEqualTo(summary);
    assertThat(sql.operation()).isEqualTo(operation);
    assertThat(sql.procedure()).isEqualTo(procedure);
    assertThat(sql.collection()).isNull();
  }

  @Test
  void aSummaryHasAtMost255CharactersAndEndsWithAWholeName() {
    StringBuilder query = new StringBuilder("SELECT * FROM first");
    for (int i = 100; i < 200; i++) {
      query.append(", table_").append(i);
    }
    String summary = Sql.read(query.toString(), SqlDialect.POSTGRES, false).summary();
    assertThat(summary).hasSizeBetween(246, 255).startsWith("SELECT first table_100 ");
    assertThat(summary).matches("SELECT first( table_1\\d\\d)+");
  }

  @Test
  void aNameThatMayGoOnBehindTheCutIsNotTold() {
    assertThat(Sql.read("SELECT * FROM orders, cust", SqlDialect.POSTGRES, true).summary())
        .isEqualTo("SELECT orders");
    assertThat(Sql.read("SELECT * FROM public.ord", SqlDialect.POSTGRES, true).summary())
        .isEqualTo("SELECT");
    assertThat(Sql.read("SEL", SqlDialect.POSTGRES, true).summary()).isNull();
  }
}
