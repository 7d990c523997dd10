/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import static dev.sennit.tracing.protocol.Replay.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.Requires;
import dev.sennit.testing.server.RedisServer;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.RecordedServerTest;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;

/** A real client and a real server, tapped on loopback. */
@Requires(commands = RedisServer.COMMAND)
class RedisServerTest extends RecordedServerTest {
  private static final RedisProtocol PROTOCOL = new RedisProtocol();
  private static RedisServer server;

  private String namespace = "0";

  RedisServerTest() {
    // Those that the client sent ahead put it off.
    super(PROTOCOL, 10);
  }

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void flush() {
    try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
      jedis.flushAll();
    }
  }

  /** The same work in a process of its own, for who observes that: says what is to be told. */
  public static void main(String[] arguments) {
    RedisServerTest test = new RedisServerTest();
    try (Jedis jedis =
        connect(Integer.parseInt(arguments[0]), redis.clients.jedis.RedisProtocol.RESP3)) {
      test.work(jedis);
    }
    test.expected.forEach(System.out::println);
  }

  private static Jedis connect(int port, redis.clients.jedis.RedisProtocol version) {
    return new Jedis(
        new HostAndPort("127.0.0.1", port),
        DefaultJedisClientConfig.builder().protocol(version).build());
  }

  private void expect(String operation, int values, String... more) {
    List<String> attributes =
        new ArrayList<>(
            List.of(
                "db.system.name",
                "redis",
                "db.namespace",
                namespace,
                "db.operation.name",
                operation,
                "db.query.text",
                operation + " ?".repeat(values)));
    attributes.addAll(List.of(more));
    expected.add(line(operation, attributes.toArray(new String[0])));
  }

  private void expectFailed(String operation, int values, String prefix) {
    expect(operation, values, "db.response.status_code", prefix, "error.type", prefix);
  }

  /** 240 commands of all kinds. */
  private void work(Jedis jedis) {
    for (int i = 0; i < 40; i++) {
      jedis.set("secret:" + i, "secret value " + i);
      expect("SET", 2);
      assertThat(jedis.get("secret:" + i)).contains("secret");
      expect("GET", 1);
      jedis.hset("secret:hash", "field" + i, "secret");
      expect("HSET", 3);
      jedis.rpush("secret:list", "secret\r\n$-1\r\n*9\r\n", "");
      expect("RPUSH", 3);
    }
    jedis.set("big", "x".repeat(300_000));
    expect("SET", 2);
    assertThat(jedis.get("big")).hasSize(300_000);
    expect("GET", 1);
    assertThat(jedis.get("nothing")).isNull();
    expect("GET", 1);
    assertThat(jedis.lrange("secret:list", 0, -1)).hasSize(80);
    expect("LRANGE", 3);
    assertThat(jedis.hgetAll("secret:hash")).hasSize(40);
    expect("HGETALL", 1);
    errors(jedis);
    pipeline(jedis);
    transaction(jedis);
    others(jedis);
  }

  private void errors(Jedis jedis) {
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> jedis.incr("secret:1")).isInstanceOf(JedisDataException.class);
      expectFailed("INCR", 1, "ERR");
      assertThatThrownBy(() -> jedis.lpush("secret:1", "x")).isInstanceOf(JedisDataException.class);
      expectFailed("LPUSH", 2, "WRONGTYPE");
    }
    assertThatThrownBy(() -> jedis.evalsha("0123456789012345678901234567890123456789"))
        .isInstanceOf(JedisDataException.class);
    expectFailed("EVALSHA", 2, "NOSCRIPT");
    expected.set(
        expected.size() - 1,
        expected
            .getLast()
            .replace(
                "db.system.name=redis",
                "db.stored_procedure.name=0123456789012345678901234567890123456789"
                    + " db.system.name=redis"));
  }

  private void pipeline(Jedis jedis) {
    Pipeline pipeline = jedis.pipelined();
    for (int i = 0; i < 20; i++) {
      pipeline.set("p" + i, "secret");
      expect("SET", 2);
      pipeline.lpop("p" + i);
      expectFailed("LPOP", 1, "WRONGTYPE");
      pipeline.mget("p1", "p2", "p3");
      expect("MGET", 3);
    }
    pipeline.sync();
  }

  private void transaction(Jedis jedis) {
    for (boolean fails : new boolean[] {false, true}) {
      Transaction transaction = jedis.multi();
      expect("MULTI", 0);
      transaction.set("t", "secret");
      expect("SET", 2);
      if (fails) {
        transaction.lpop("t");
        expect("LPOP", 1);
      }
      transaction.get("t");
      expect("GET", 1);
      transaction.exec();
      if (fails) {
        expectFailed("EXEC", 0, "WRONGTYPE");
      } else {
        expect("EXEC", 0);
      }
    }
  }

  private void others(Jedis jedis) {
    jedis.clientSetname("secret");
    expect("CLIENT SETNAME", 1);
    jedis.configGet("maxmemory");
    expect("CONFIG GET", 1);
    jedis.select(3);
    expect("SELECT", 1);
    namespace = "3";
    for (int i = 0; i < 10; i++) {
      jedis.eval("return {1, {2, {3, redis.call('GET', KEYS[1])}}}", 1, "secret");
      expect("EVAL", 3);
    }
    assertThatThrownBy(() -> jedis.select(99)).isInstanceOf(JedisDataException.class);
    expectFailed("SELECT", 1, "ERR");
    jedis.ping();
    expect("PING", 0);
  }

  private Session recorded(redis.clients.jedis.RedisProtocol version) {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Jedis jedis = connect(tap.port(), version)) {
        work(jedis);
      }
      return tap.sessions().getFirst();
    }
  }

  /** What the driver asks when it connects is left out. */
  private void assertTold(Session session) {
    assertThat(expected.size()).isGreaterThan(230);
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    List<String> told = Replay.lines(Replay.play(kit, session, -1));
    int begin = told.size() - expected.size();
    assertThat(begin).isBetween(0, 4);
    for (String line : told.subList(0, begin)) {
      assertThat(line).matches("(HELLO|CLIENT SETINFO) .*");
    }
    Replay.assertSame(told.subList(begin, told.size()), expected);
    assertThat(kit.lost()).isEmpty();
    assertThat(told.toString().toLowerCase(Locale.ROOT)).doesNotContain("secret");
  }

  @Test
  void everyCommandOfResp2IsToldOnce() {
    assertTold(recorded(redis.clients.jedis.RedisProtocol.RESP2));
  }

  @Test
  void everyCommandOfResp3IsToldOnce() {
    assertTold(recorded(redis.clients.jedis.RedisProtocol.RESP3));
  }

  @Test
  void messagesOfSubscriptionsAreNoAnswers() {
    for (var version :
        List.of(redis.clients.jedis.RedisProtocol.RESP2, redis.clients.jedis.RedisProtocol.RESP3)) {
      try (LoopbackTap tap = LoopbackTap.before(server.port())) {
        try (Jedis jedis = connect(tap.port(), version);
            Jedis other = new Jedis("127.0.0.1", server.port())) {
          jedis.subscribe(
              new JedisPubSub() {
                @Override
                public void onSubscribe(String name, int count) {
                  if (count == 2) {
                    other.publish("a", "secret");
                  }
                }

                @Override
                public void onMessage(String name, String message) {
                  unsubscribe();
                }
              },
              "a",
              "b");
          jedis.get("x");
        }
        ConversationKit kit =
            ConversationKit.client(PROTOCOL).play(tap.sessions().getFirst()).end();
        List<String> names = kit.ended().stream().map(each -> each.name()).toList();
        assertThat(names).as("%s", version).containsSubsequence("SUBSCRIBE", "UNSUBSCRIBE", "GET");
        assertThat(names).filteredOn(name -> name.contains("SUBSCRIBE")).hasSize(2);
        assertThat(kit.ended()).allMatch(each -> each.isComplete());
      }
    }
  }

  @Override
  protected Session shortSession() {
    try (LoopbackTap tap = LoopbackTap.before(server.port())) {
      try (Jedis jedis = connect(tap.port(), redis.clients.jedis.RedisProtocol.RESP3)) {
        for (int i = 0; i < 6; i++) {
          jedis.set("a", "secret" + i);
          jedis.get("a");
          jedis.rpush("b", "x", "y");
          jedis.lrange("b", 0, -1);
          assertThatThrownBy(() -> jedis.incr("a")).isInstanceOf(JedisDataException.class);
        }
        Pipeline pipeline = jedis.pipelined();
        pipeline.get("a");
        pipeline.lpop("b");
        pipeline.sync();
        for (int i = 0; i < 6; i++) {
          jedis.hset("c", "f", "v");
          jedis.hgetAll("c");
        }
      }
      return tap.sessions().getFirst();
    }
  }

  @Test
  void whatIsNotCapturedHidesOnlyWhatIsInIt() {
    Session session = recorded(redis.clients.jedis.RedisProtocol.RESP2);
    Replay.assertToldInOrder(PROTOCOL, session, 4096, 100);
    Replay.assertToldInOrder(PROTOCOL, session, 256, 70);
  }
}
