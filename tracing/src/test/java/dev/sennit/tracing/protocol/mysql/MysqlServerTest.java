/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import static dev.sennit.tracing.protocol.Replay.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.testing.server.MariaDbServer;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.sql.SqlServerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real clients and a real server, tapped on loopback. */
@Requires(commands = MariaDbServer.COMMAND)
class MysqlServerTest extends SqlServerTest {
  private static final MysqlProtocol PROTOCOL = new MysqlProtocol();
  private static final String MARIADB =
      "jdbc:mariadb://127.0.0.1:%d/shop?sslMode=disable&allowLocalInfile=true";
  private static final String MYSQL =
      "jdbc:mysql://127.0.0.1:%d/shop?sslMode=DISABLED&allowPublicKeyRetrieval=true"
          + "&allowLoadLocalInfile=true";
  private static final String PREPARED = "&useServerPrepStmts=true&cachePrepStmts=false";

  private static MariaDbServer server;
  @TempDir private static Path folder;

  MysqlServerTest() {
    super(PROTOCOL, 6, "mariadb", MariaDbServer.DATABASE);
  }

  @Override
  protected String code(SQLException failure) {
    return String.valueOf(failure.getErrorCode());
  }

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  /** The same work in a process of its own, for who observes that: says what is to be told. */
  public static void main(String[] arguments) throws SQLException, IOException {
    folder = Path.of(arguments[1]);
    MysqlServerTest test = new MysqlServerTest();
    try (Connection connection = connect(MARIADB, Integer.parseInt(arguments[0]))) {
      test.work(connection, false);
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
    try (Connection connection = connect(MARIADB, port);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS orders");
      statement.execute("DROP TABLE IF EXISTS customers");
      statement.execute("CREATE TABLE customers (id int PRIMARY KEY, name text)");
      statement.execute("CREATE TABLE orders (id int PRIMARY KEY, customer int, note text)");
      statement.execute("CREATE OR REPLACE PROCEDURE restock(n int) SELECT n");
      statement.execute("CREATE DATABASE IF NOT EXISTS other");
    }
  }

  private static Connection connect(String url, int port) throws SQLException {
    return DriverManager.getConnection(
        url.formatted(port), MariaDbServer.USER, MariaDbServer.PASSWORD);
  }

  /** 220 operations of all kinds. */
  private void work(Connection connection, boolean prepared) throws SQLException, IOException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < 40; i++) {
        statement.execute("INSERT INTO customers VALUES (" + i + ", \"secret\\\"-" + i + "\")");
        expect("INSERT customers", "INSERT", "customers", "INSERT INTO customers VALUES (?, ?)");
      }
      for (int i = 0; i < 35; i++) {
        drain(
            statement.executeQuery(
                "SELECT c.name FROM `customers` c LEFT JOIN orders o ON c.id = o.customer"
                    + " WHERE c.name IN ('secret-1', 'b') # secret"));
        expect(
            "SELECT `customers` orders",
            "SELECT",
            "",
            "SELECT c.name FROM `customers` c LEFT JOIN orders o ON c.id = o.customer WHERE c.name"
                + " IN (?)");
        drain(statement.executeQuery("SELECT * FROM customers"));
        expect("SELECT customers", "SELECT", "customers", "SELECT * FROM customers");
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)")) {
      for (int i = 0; i < 40; i++) {
        insert.setInt(1, i);
        insert.setInt(2, i);
        insert.setString(3, "secret note");
        insert.executeUpdate();
        expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES (?, ?, ?)");
      }
      insert.setInt(1, 1);
      assertFails("1062", insert::executeUpdate);
      expect("INSERT orders", "INSERT", "orders", "INSERT INTO orders VALUES (?, ?, ?)");
      expectFailed("1062");
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id, note FROM orders WHERE id > ?")) {
      for (int i = 0; i < 30; i++) {
        select.setInt(1, i);
        drain(select.executeQuery());
        expect("SELECT orders", "SELECT", "orders", "SELECT id, note FROM orders WHERE id > ?");
      }
    }
    errors(connection, prepared);
    others(connection);
  }

  private void errors(Connection connection, boolean prepared) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < 10; i++) {
        assertFails("1146", () -> statement.execute("SELECT 'secret' FROM nowhere"));
        expect("SELECT nowhere", "SELECT", "nowhere", "SELECT ? FROM nowhere");
        expectFailed("1146");
        assertFails(
            "1054", () -> statement.execute("UPDATE orders SET secret1 = 1 WHERE id = 0x10"));
        expect("UPDATE orders", "UPDATE", "orders", "UPDATE orders SET secret1 = ? WHERE id = ?");
        expectFailed("1054");
      }
    }
    if (prepared) {
      assertFails(
          "1146",
          () -> {
            try (PreparedStatement wrong = connection.prepareStatement("DELETE FROM nowhere")) {
              wrong.execute();
            }
          });
    }
  }

  private void others(Connection connection) throws SQLException, IOException {
    try (Statement statement = connection.createStatement();
        CallableStatement call = connection.prepareCall("CALL restock(?)")) {
      for (int i = 0; i < 5; i++) {
        call.setInt(1, i);
        call.execute();
        expect("CALL restock", "CALL", "restock", "CALL restock(?)");
      }
      Path file = Files.writeString(folder.resolve("rows"), "900\t1\tsecret row\n".repeat(3000));
      statement.execute("LOAD DATA LOCAL INFILE '" + file + "' IGNORE INTO TABLE orders");
      expect(
          "LOAD DATA orders",
          "LOAD DATA",
          "orders",
          "LOAD DATA LOCAL INFILE ? IGNORE INTO TABLE orders");
      statement.execute("USE other");
      expect("USE other", "USE", "", "USE other");
      namespace = "other";
      statement.execute("SELECT 1");
      expect("SELECT", "SELECT", "", "SELECT ?");
      statement.execute("SELECT length('" + "s".repeat(17 << 20) + "')");
      expect("SELECT", "SELECT", "", "SELECT length(?");
    }
  }

  private Session recorded(String url, boolean prepared) throws SQLException, IOException {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Connection connection = connect(url, tap.port())) {
        work(connection, prepared);
      }
      return tap.sessions().getFirst();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {MARIADB, MARIADB + PREPARED, MYSQL, MYSQL + PREPARED})
  void everyCommandIsToldOnce(String url) throws SQLException, IOException {
    boolean prepared = url.endsWith(PREPARED);
    Session session = recorded(url, prepared);
    assertThat(expected.size()).isGreaterThan(200);
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    List<String> told = new ArrayList<>(Replay.lines(Replay.play(kit, session, -1)));
    // What drivers ask by themselves: settings, what a procedure's parameters are, what there is.
    told.removeIf(
        line ->
            line.matches("(?i)(SET|SHOW|PING) .*|SELECT .*(@@|information_schema).*")
                || line.startsWith("STMT_RESET ")
                || line.startsWith("RESET_CONNECTION "));
    if (prepared) {
      // Drivers try again in another way, or have sent the execution with the preparation.
      assertThat(told).anyMatch(line -> line.endsWith("failed: 1146 complete"));
      told.removeIf(line -> line.startsWith("DELETE nowhere "));
    }
    Replay.assertSame(told, expected);
    assertThat(kit.lost()).isEmpty();
    assertThat(kit.opened()).hasSameSizeAs(kit.ended());
    assertThat(told.toString()).doesNotContain("secret-").doesNotContain(MariaDbServer.USER);
  }

  @Test
  void pingsAndPreparedBatchesAreTold() throws SQLException {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Connection connection = connect(MARIADB + PREPARED + "&useBulkStmts=true", tap.port());
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)")) {
        connection.isValid(1);
        for (int i = 0; i < 50; i++) {
          insert.setInt(1, i);
          insert.setInt(2, i);
          insert.setString(3, "secret");
          insert.addBatch();
        }
        insert.executeBatch();
        insert.setInt(1, 0);
        insert.setInt(2, 0);
        insert.setString(3, "secret");
        assertFails("1062", insert::execute);
      }
      List<String> told = Replay.told(PROTOCOL, tap.sessions().getFirst());
      assertThat(told).anyMatch(line -> line.startsWith("PING "));
      assertThat(told).filteredOn(line -> line.startsWith("INSERT orders ")).hasSize(2);
      assertThat(told.getLast()).endsWith("failed: 1062 complete");
      assertThat(told.toString()).doesNotContain("secret");
    }
  }

  @Test
  @Requires(commands = {MariaDbServer.COMMAND, "mariadb"})
  void theCommandLineClientIsUnderstoodToo() {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      var builder =
          new ProcessBuilder(
              "mariadb",
              "--no-defaults",
              "--skip-ssl",
              "--force",
              "-h127.0.0.1",
              "-P" + tap.port(),
              "-u" + MariaDbServer.USER,
              "-p" + MariaDbServer.PASSWORD,
              "-e",
              "USE shop; SELECT 'secret' FROM customers; SELEC 1");
      try (ChildProcess client = ChildProcess.start(builder)) {
        client.waitFor();
      }
      List<String> told = Replay.told(PROTOCOL, tap.sessions().getFirst());
      assertThat(told)
          .anyMatch(line -> line.startsWith("INIT_DB "))
          .contains(
              line(
                  "mariadb",
                  "db.system.name",
                  "mariadb",
                  "db.namespace",
                  "shop",
                  "db.query.text",
                  "SELEC ?",
                  "db.response.status_code",
                  "1064",
                  "error.type",
                  "1064"));
      expect("SELECT customers", "SELECT", "customers", "SELECT ? FROM customers");
      assertThat(told).contains(expected.getFirst());
    }
  }

  @Override
  protected Session shortSession() throws SQLException {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Connection connection = connect(MARIADB + PREPARED, tap.port());
          Statement statement = connection.createStatement();
          PreparedStatement prepared =
              connection.prepareStatement("SELECT name FROM customers WHERE id = ?")) {
        for (int i = 0; i < 4; i++) {
          statement.execute("INSERT INTO customers VALUES (" + i + ", 'secret')");
          prepared.setInt(1, i);
          drain(prepared.executeQuery());
          int id = i;
          assertFails(
              "1062", () -> statement.execute("INSERT INTO customers VALUES (" + id + ", 1)"));
          drain(statement.executeQuery("SELECT * FROM customers"));
          statement.execute("DELETE FROM orders");
        }
      }
      return tap.sessions().getFirst();
    }
  }

  @Test
  void whatIsNotCapturedHidesOnlyWhatIsInIt() throws SQLException, IOException {
    Session session = recorded(MYSQL + PREPARED, true);
    Replay.assertToldInOrder(PROTOCOL, session, 4096, 98);
    Replay.assertToldInOrder(PROTOCOL, session, 256, 90);
  }
}
