/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import static dev.sennit.tracing.protocol.Replay.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.testing.server.PostgresServer;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.sql.SqlServerTest;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Real clients and a real server, tapped on loopback. */
@Requires(commands = PostgresServer.COMMAND)
class PostgresServerTest extends SqlServerTest {
  private static final PostgresProtocol PROTOCOL = new PostgresProtocol();
  private static PostgresServer server;

  PostgresServerTest() {
    super(PROTOCOL, 5, "postgresql", PostgresServer.DATABASE);
  }

  @Override
  protected String code(SQLException failure) {
    return failure.getSQLState();
  }

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  /** The same work in a process of its own, for who observes that: says what is to be told. */
  public static void main(String[] arguments) throws SQLException, IOException {
    PostgresServerTest test = new PostgresServerTest();
    try (Connection connection = connect(Integer.parseInt(arguments[0]), "")) {
      test.work(connection);
    }
    test.expected.forEach(System.out::println);
  }

  /** Makes what that works on. */
  static final class Tables {
    public static void main(String[] arguments) throws SQLException {
      makeTables(Integer.parseInt(arguments[0]));
    }
  }

  @BeforeEach
  void tables() throws SQLException {
    makeTables(server.port());
  }

  private static void makeTables(int port) throws SQLException {
    try (Connection connection = connect(port, "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS orders, customers");
      statement.execute("CREATE TABLE customers (id int PRIMARY KEY, name text)");
      statement.execute(
          "CREATE TABLE orders (id int PRIMARY KEY, customer int REFERENCES customers DEFERRABLE"
              + " INITIALLY DEFERRED, note text)");
      statement.execute("CREATE OR REPLACE PROCEDURE restock(n int) LANGUAGE sql AS 'SELECT 1'");
    }
  }

  private static Connection connect(int port, String options) throws SQLException {
    // With the version assumed, the driver asks nothing of its own when it connects.
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?assumeMinServerVersion=9.4%s"
            .formatted(port, PostgresServer.DATABASE, options);
    return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
  }

  /** 230 operations of all kinds. */
  private void work(Connection connection) throws SQLException, IOException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < 40; i++) {
        statement.execute("INSERT INTO customers VALUES (" + i + ", 'secret-" + i + "')");
        expect("INSERT customers", "INSERT", "customers", "INSERT INTO customers VALUES (?, ?)");
      }
      for (int i = 0; i < 20; i++) {
        drain(
            statement.executeQuery(
                "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer WHERE c.name IN"
                    + " ('secret-1', 'b') -- secret"));
        expect(
            "SELECT orders customers",
            "SELECT",
            "",
            "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer WHERE c.name IN (?)");
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)")) {
      for (int i = 0; i < 60; i++) {
        insert.setInt(1, i);
        insert.setInt(2, i % 40);
        insert.setString(3, "secret note");
        insert.executeUpdate();
        expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES ($1, $2, $3)");
      }
      for (int i = 100; i < 130; i++) {
        insert.setInt(1, i);
        insert.setInt(2, 1);
        insert.setString(3, "secret note");
        insert.addBatch();
        expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES ($1, $2, $3)");
      }
      insert.executeBatch();
      insert.setInt(1, 1);
      assertFails("23505", insert::executeUpdate);
      expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES ($1, $2, $3)");
      expectFailed("23505");
      insert.setInt(1, 999);
      insert.setInt(2, 4711);
      assertFails("23503", insert::executeUpdate);
      expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES ($1, $2, $3)");
      expectFailed("23503");
    }
    errors(connection);
    transactions(connection);
    copies(connection);
    try (CallableStatement call = connection.prepareCall("CALL restock(?)")) {
      for (int i = 0; i < 10; i++) {
        call.setInt(1, i);
        call.execute();
        expect("CALL restock", "CALL", "restock", "CALL restock($1)");
      }
    }
  }

  private void errors(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < 10; i++) {
        assertFails("42P01", () -> statement.execute("SELECT 'secret' FROM nowhere"));
        expect("SELECT nowhere", "SELECT", "nowhere", "SELECT ? FROM nowhere");
        expectFailed("42P01");
        assertFails("22012", () -> statement.execute("UPDATE orders SET id = 1 / 0"));
        expect("UPDATE orders", "UPDATE", "orders", "UPDATE orders SET id = ? / ?");
        expectFailed("22012");
      }
      assertFails("42601", () -> statement.execute("SELECT FROM WHERE 'secret'"));
      expect("SELECT", "SELECT", "", "SELECT FROM WHERE ?");
      expectFailed("42601");
    }
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
      for (int id : new int[] {200, 1, 201}) {
        insert.setInt(1, id);
        insert.addBatch();
        expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES ($1)");
        if (id != 200) {
          expectFailed(id == 1 ? "23505" : "_OTHER");
        }
      }
      assertFails("23505", insert::executeBatch);
    }
  }

  private void transactions(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(50);
      drain(statement.executeQuery("SELECT * FROM orders LIMIT 120"));
      expect("BEGIN", "BEGIN", "", "BEGIN");
      for (int i = 0; i < 2; i++) {
        expect("SELECT orders", "SELECT", "orders", "SELECT * FROM orders LIMIT ?");
      }
      statement.execute("DELETE FROM orders WHERE id > 110");
      expect("DELETE orders", "DELETE", "orders", "DELETE FROM orders WHERE id > ?");
      connection.rollback();
      expect("ROLLBACK", "ROLLBACK", "", "ROLLBACK");
    }
    connection.setAutoCommit(true);
  }

  private void copies(Connection connection) throws SQLException, IOException {
    var copy = connection.unwrap(PGConnection.class).getCopyAPI();
    String rows = "1\tsecret row\n".repeat(20_000);
    assertFails("23505", () -> copyIn(copy, "COPY customers FROM STDIN", rows));
    expect("COPY customers", "COPY", "customers", "COPY customers FROM STDIN");
    expectFailed("23505");
    for (int i = 0; i < 5; i++) {
      copyIn(copy, "COPY customers FROM STDIN", (500 + i) + "\tsecret row\n");
      expect("COPY customers", "COPY", "customers", "COPY customers FROM STDIN");
      copy.copyOut("COPY (SELECT * FROM customers) TO STDOUT", new StringWriter());
      expect("COPY SELECT customers", "", "customers", "COPY (SELECT * FROM customers) TO STDOUT");
    }
  }

  private static void copyIn(org.postgresql.copy.CopyManager copy, String sql, String rows)
      throws SQLException {
    try {
      copy.copyIn(sql, new StringReader(rows));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Session recorded(String options) throws SQLException, IOException {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Connection connection = connect(tap.port(), options)) {
        work(connection);
      }
      List<Session> sessions = tap.sessions();
      assertThat(sessions).hasSize(1);
      return sessions.getFirst();
    }
  }

  @Test
  void everyStatementOfTheExtendedProtocolIsToldOnce() throws SQLException, IOException {
    assertTold(recorded("&currentSchema=public"), "public");
  }

  @Test
  void everyStatementIsToldWhenEachIsPreparedByName() throws SQLException, IOException {
    assertTold(recorded("&currentSchema=public&prepareThreshold=1"), "public");
  }

  private void assertTold(Session session, String schema) {
    assertThat(expected.size()).isGreaterThan(200);
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    List<String> told = Replay.lines(Replay.play(kit, session, -1));
    Replay.assertSame(
        told,
        expected.stream()
            .map(line -> line.replace("namespace=shop", "namespace=shop|" + schema))
            .toList());
    assertThat(kit.opened()).hasSameSizeAs(kit.ended());
    assertThat(kit.lost()).isEmpty();
    assertThat(told.toString()).doesNotContain("secret").doesNotContain(PostgresServer.USER);
  }

  @Test
  void everyStatementOfSimpleQueriesIsToldOnce() throws SQLException, IOException {
    Session session = recorded("&preferQueryMode=simple");
    List<String> told = Replay.told(PROTOCOL, session);
    // In this mode the driver puts values into the text, and a batch is one query.
    assertThat(told).hasSizeGreaterThan(180);
    assertThat(told.toString()).doesNotContain("secret").doesNotContain("$1");
    assertThat(told).allMatch(line -> line.contains("db.namespace=shop "));
    assertThat(told).filteredOn(line -> line.contains("failed: ")).hasSizeGreaterThan(20);
    assertThat(told.getFirst())
        .isEqualTo(expected.getFirst())
        .startsWith("INSERT customers db.collection.name=customers ");
  }

  @Test
  @Requires(commands = {PostgresServer.COMMAND, "psql"})
  void psqlIsUnderstoodToo() {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      var builder =
          new ProcessBuilder(
              "psql",
              "-X",
              "-q",
              "host=127.0.0.1 port=%d user=%s dbname=%s gssencmode=disable"
                  .formatted(tap.port(), PostgresServer.USER, PostgresServer.DATABASE),
              "-c",
              "SELECT 'secret' FROM customers; SELECT 2",
              "-c",
              "SELEC 1",
              "-c",
              "\\copy customers TO /dev/null");
      builder.environment().put("PGPASSWORD", PostgresServer.PASSWORD);
      try (ChildProcess psql = ChildProcess.start(builder)) {
        psql.waitFor();
      }
      expect("SELECT customers SELECT", "SELECT", "customers", "SELECT ? FROM customers; SELECT ?");
      expected.add(
          line(
              "postgresql",
              "db.system.name",
              "postgresql",
              "db.namespace",
              "shop",
              "db.query.text",
              "SELEC ?",
              "db.response.status_code",
              "42601",
              "error.type",
              "42601"));
      expect("COPY customers", "COPY", "customers", "COPY customers TO STDOUT");
      assertThat(tap.sessions())
          .last()
          .satisfies(
              session ->
                  assertThat(Replay.told(PROTOCOL, session)).containsExactlyElementsOf(expected));
    }
  }

  @Override
  protected Session shortSession() throws SQLException {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Connection connection = connect(tap.port(), "&prepareThreshold=2");
          Statement statement = connection.createStatement();
          PreparedStatement prepared =
              connection.prepareStatement("SELECT name FROM customers WHERE id = ?")) {
        for (int i = 0; i < 4; i++) {
          statement.execute("INSERT INTO customers VALUES (" + i + ", 'secret')");
          prepared.setInt(1, i);
          drain(prepared.executeQuery());
          int id = i;
          assertFails(
              "23505", () -> statement.execute("INSERT INTO customers VALUES (" + id + ")"));
          statement.execute("UPDATE customers SET name = 'x'");
          statement.execute("DELETE FROM orders");
        }
      }
      return tap.sessions().getFirst();
    }
  }

  @Test
  void whatIsNotCapturedHidesOnlyWhatIsInIt() throws SQLException, IOException {
    Session session = recorded("");
    // What is lost is in one call with others: the driver sends batches so.
    Replay.assertToldInOrder(PROTOCOL, session, 4096, 98);
    Replay.assertToldInOrder(PROTOCOL, session, 256, 85);
  }
}
