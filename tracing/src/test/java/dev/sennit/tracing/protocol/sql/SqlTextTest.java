/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.sql;

import static dev.sennit.tracing.protocol.sql.SqlDialect.MYSQL;
import static dev.sennit.tracing.protocol.sql.SqlDialect.MYSQL_PLAIN_BACKSLASHES;
import static dev.sennit.tracing.protocol.sql.SqlDialect.POSTGRES;
import static dev.sennit.tracing.protocol.sql.SqlDialect.POSTGRES_BACKSLASHES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SqlTextTest {
  static Stream<Arguments> queries() {
    return Stream.of(
        Arguments.of(POSTGRES, "SELECT * FROM t WHERE a = 'secret'", "SELECT * FROM t WHERE a = ?"),
        Arguments.of(POSTGRES, "SELECT 'it''s' || 'x'", "SELECT ? || ?"),
        Arguments.of(POSTGRES, "SELECT 'a\\', b", "SELECT ?, b"),
        Arguments.of(POSTGRES_BACKSLASHES, "SELECT 'a\\', secret', b", "SELECT ?, b"),
        Arguments.of(POSTGRES, "SELECT E'it\\'s', e'\\\\', b", "SELECT ?, ?, b"),
        Arguments.of(
            POSTGRES, "SELECT B'01', X'ff', N'n', U&'\\0041', u&'x'", "SELECT ?, ?, ?, ?, ?"),
        Arguments.of(POSTGRES, "SELECT $$it's$$, $a$x $$ y$a$, $1, $2", "SELECT ?, ?, $1, $2"),
        Arguments.of(
            POSTGRES,
            "SELECT \"Order 1\".\"a\"\"b\", t1.c2 FROM t1",
            "SELECT \"Order 1\".\"a\"\"b\", t1.c2 FROM t1"),
        Arguments.of(
            POSTGRES,
            "SELECT 1, -2, 3.5, .5, 1e-10, 0xFF, 1_000, a-1",
            "SELECT ?, ?, ?, ?, ?, ?, ?, a-?"),
        Arguments.of(POSTGRES, "SELECT TRUE, false, NULL", "SELECT TRUE, false, NULL"),
        Arguments.of(
            POSTGRES,
            "SELECT '1'::int, DATE '2020-01-01', INTERVAL '1 day'",
            "SELECT ?::int, DATE ?, INTERVAL ?"),
        Arguments.of(
            POSTGRES,
            "SELECT 1 -- secret\n, a/* b /* nested */ secret */FROM t",
            "SELECT ? , a FROM t"),
        Arguments.of(POSTGRES, "  SELECT\n\t a  ;\n", "SELECT a ;"),
        Arguments.of(POSTGRES, "SELECT a #> b FROM t", "SELECT a #> b FROM t"),
        Arguments.of(
            POSTGRES, "WHERE a IN (1, 'b',-3) AND b in ($1,$2)", "WHERE a IN (?) AND b in (?)"),
        Arguments.of(
            POSTGRES,
            "WHERE a IN (SELECT 1, 2) AND f(1, 2)",
            "WHERE a IN (SELECT ?, ?) AND f(?, ?)"),
        Arguments.of(
            POSTGRES,
            "INSERT INTO t VALUES (1, f('a')), (2,f('b')), (3, f('c')) RETURNING id",
            "INSERT INTO t VALUES (?, f(?)), (?,f(?)), (?, f(?)) RETURNING id"),
        Arguments.of(
            POSTGRES,
            "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c') RETURNING id",
            "INSERT INTO t VALUES (?, ?) RETURNING id"),
        Arguments.of(POSTGRES, "ALTER ROLE x PASSWORD 'hunter2'", "ALTER ROLE x PASSWORD ?"),
        Arguments.of(POSTGRES, "SELECT 'cut", "SELECT ?"),
        Arguments.of(POSTGRES, "SELECT $x$cut", "SELECT ?"),
        Arguments.of(POSTGRES, "SELECT \"cut 'secret'", "SELECT ?"),
        Arguments.of(POSTGRES, "SELECT /* cut", "SELECT"),
        Arguments.of(
            MYSQL,
            "SELECT \"secret\", 'a\\'b', \"a\\\"b\", `a``'b` FROM t",
            "SELECT ?, ?, ?, `a``'b` FROM t"),
        Arguments.of(MYSQL_PLAIN_BACKSLASHES, "SELECT 'a\\', b, 'secret'", "SELECT ?, b, ?"),
        Arguments.of(
            MYSQL,
            "SELECT 1 # secret\n, 5--3 -- secret\n, _utf8'x', x'00', @a, @@b",
            "SELECT ? , ?-? , _utf8?, ?, @a, @@b"),
        Arguments.of(
            MYSQL,
            "/*!40101 SET NAMES 'x' */; /* gone */ SELECT 1 /*M!100000 , 2*/",
            "SET NAMES ? ; SELECT ? , ?"),
        Arguments.of(
            MYSQL,
            "SELECT * FROM t WHERE id = ? AND x IN (?, ?)",
            "SELECT * FROM t WHERE id = ? AND x IN (?)"),
        Arguments.of(MYSQL, "", ""));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void literalsAreReplacedAndNothingElseChanges(SqlDialect dialect, String query, String expected) {
    assertThat(SqlText.sanitise(query, dialect)).isEqualTo(expected);
  }

  @Test
  void aQueryOfAMegabyteTakesNoLongerThanItsLength() {
    for (String part :
        new String[] {"(", "'a", "$a", "/*", "((1),", "IN (1,", "VALUES (1),", "\"", "`"}) {
      String query = part.repeat(1 << 20 >> Math.min(2, part.length() / 2));
      assertThat(Sql.read(query, POSTGRES, true).text().length())
          .isLessThanOrEqualTo(query.length());
      assertThat(Sql.read(query, MYSQL, true).text().length()).isLessThanOrEqualTo(query.length());
    }
  }

  @Property(tries = 2000)
  void noTextIsTooStrange(@ForAll("texts") String text, @ForAll SqlDialect dialect) {
    Sql sql = Sql.read(text, dialect, true);
    assertThat(sql.text().length()).isLessThanOrEqualTo(text.length());
  }

  @ParameterizedTest
  @EnumSource
  void whereverATextIsCutNoLiteralIsTold(SqlDialect dialect) {
    String whole =
        "SELECT a FROM t WHERE b = 'Zsecret\"Z' AND c IN ('Z1', \"c\", E'Z') -- Z\n/* Z */ LIMIT 1";
    for (int i = 0; i <= whole.length(); i++) {
      assertThat(SqlText.sanitise(whole.substring(0, i), dialect)).doesNotContain("Z");
    }
  }

  @Provide
  static Arbitrary<String> texts() {
    return Arbitraries.of(
            "'", "\"", "`", "$$", "$a$", "\\", "--", "/*", "*/", "/*!", "#", "\n", " ", "(", ")",
            ",", ";", ".", "-", "1", "0x", "e", "E'", "IN", "VALUES", "SELECT", "FROM", "WITH",
            "AS", "INSERT", "INTO", "t", "JOIN", "CREATE", "TABLE", "EXPLAIN", "CALL", "START",
            "LOAD", "?", "$1", "é", "\0")
        .list()
        .ofMaxSize(30)
        .map(parts -> String.join("", parts));
  }
}
