/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.testing.server.MariaDbServer;
import dev.sennit.testing.server.PostgresServer;
import dev.sennit.testing.server.RedisServer;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real clients ask real databases, seen by the kernel: every operation is one span, with every
 * attribute. What is asked is what the tests of the parsers ask; the client says what is expected.
 */
@Requires(root = true)
final class DatabaseSpansTest {
  private static final String CALLS = "dev.sennit.tracing.protocol.";
  private static final Set<String> ENDS =
      Set.of("server.address", "server.port", "network.peer.address", "network.peer.port");

  @TempDir private Path folder;

  @Test
  @Requires(root = true, commands = PostgresServer.COMMAND)
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      makeTables("postgres.PostgresServerTest", server.port());
      compare("postgres", "postgres.PostgresServerTest", server.port(), "");
    }
  }

  @Test
  @Requires(root = true, commands = MariaDbServer.COMMAND)
  void mariaDb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      makeTables("mysql.MysqlServerTest", server.port());
      compare(
          "mysql",
          "mysql.MysqlServerTest",
          server.port(),
          "(?i)(SET|SHOW|PING) .*|SELECT .*(@@|information_schema).*|(STMT_RESET|RESET_CONNECTION)"
              + " .*");
    }
  }

  @Test
  @Requires(root = true, commands = RedisServer.COMMAND)
  void redis() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      compare("redis", "redis.RedisServerTest", server.port(), "(HELLO|CLIENT SETINFO) .*");
    }
  }

  @Test
  void mongoDb() throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend());
    try {
      compare(
          "mongodb",
          "mongodb.MongoServerTest",
          server.bind().getPort(),
          "(hello|isMaster|ismaster|endSessions) admin .*");
    } finally {
      server.shutdownNow();
    }
  }

  /** Not observed: what is compared begins after it. */
  private static void makeTables(String calls, int port) throws ClassNotFoundException {
    try (ChildProcess client =
        ChildProcess.java(Class.forName(CALLS + calls + "$Tables"), "" + port)) {
      assertThat(client.waitFor()).as(client.errors()).isZero();
    }
  }

  /**
   * @param driver what drivers ask by themselves
   */
  private void compare(String protocol, String calls, int port, String driver) throws Exception {
    Pattern own = Pattern.compile(driver, Pattern.DOTALL);
    try (ObservedPrograms programs =
        ObservedPrograms.start(new TracerSettings.Builder().logs(false).build())) {
      ChildProcess client =
          programs.run(
              ChildProcess.javaCommand(
                  List.of(), Class.forName(CALLS + calls), "" + port, folder.toString()));
      List<String> expected =
          client.readAll().stream().filter(line -> line.endsWith(" complete")).toList();
      assertThat(client.waitFor()).as(client.errors()).isZero();
      assertThat(expected).hasSizeGreaterThan(200);
      List<Span> asked =
          programs.await(expected.size(), span -> !own.matcher(line(span)).matches());
      assertThat(asked).allMatch(span -> span.protocol().equals(protocol));
      programs.spans().forEach(span -> assertEnds(span, port));
      Replay.assertSame(asked.stream().map(this::line).toList(), expected);
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
    }
  }

  private static void assertEnds(Span span, int port) {
    assertThat(span.kind()).isEqualTo(SpanKind.CLIENT);
    assertThat(span.end()).isGreaterThan(span.start());
    assertThat(span.attributes())
        .containsEntry("server.address", AttributeValue.of("127.0.0.1"))
        .containsEntry("server.port", AttributeValue.of(port))
        .containsEntry("network.peer.address", AttributeValue.of("127.0.0.1"))
        .containsEntry("network.peer.port", AttributeValue.of(port));
  }

  private String line(Span span) {
    Map<String, String> attributes = new TreeMap<>();
    span.attributes()
        .forEach(
            (key, value) -> {
              if (!ENDS.contains(key)) {
                attributes.put(key, text(value));
              }
            });
    List<String> pairs = new ArrayList<>();
    attributes.forEach(
        (key, value) -> {
          pairs.add(key);
          pairs.add(value);
        });
    return Replay.line(span.name(), pairs.toArray(String[]::new));
  }

  private static String text(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> text;
      case AttributeValue.Whole(long number) -> Long.toString(number);
      default -> value.toString();
    };
  }
}
