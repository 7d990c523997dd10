/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.connection.ConnectionLimits;
import dev.sennit.tracing.connection.Connections;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.dns.DnsProtocol;
import dev.sennit.tracing.protocol.http1.Http1Protocol;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import dev.sennit.tracing.protocol.mongodb.MongoProtocol;
import dev.sennit.tracing.protocol.mysql.MysqlProtocol;
import dev.sennit.tracing.protocol.postgres.PostgresProtocol;
import dev.sennit.tracing.protocol.redis.RedisProtocol;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.TrafficEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Plays recorded sessions to a protocol in ways in which they did not happen, and says what must be
 * told of them all the same.
 */
public final class Replay {
  private static final int MOST_CUTS = 6000;
  private static final int CAPTURED = 4096;

  private static final List<Protocol> ALL =
      List.of(
          new DnsProtocol(),
          new Http1Protocol(),
          new Http2Protocol(),
          new MongoProtocol(),
          new MysqlProtocol(),
          new PostgresProtocol(),
          new RedisProtocol());

  /**
   * An exchange, and the calls of the session that it began and ended with, by their number.
   *
   * @param line without sizes
   */
  public record Told(int begin, int end, String line) {}

  private Replay() {}

  /** An exchange as {@link #told} says it, from its name and its attributes. */
  public static String line(String name, String... attributes) {
    Map<String, String> sorted = new TreeMap<>();
    String failed = "";
    for (int i = 0; i < attributes.length; i += 2) {
      if (attributes[i].equals("error.type")) {
        failed = "failed: " + attributes[i + 1] + " ";
      } else {
        sorted.put(attributes[i], attributes[i + 1]);
      }
    }
    StringBuilder line = new StringBuilder(name).append(' ');
    sorted.forEach((key, value) -> line.append(key).append('=').append(value).append(' '));
    return line + failed + "complete";
  }

  /** What is told of a session, whole and to its end. */
  public static List<String> told(Protocol protocol, Session session) {
    return lines(play(ConversationKit.client(protocol), session, -1));
  }

  public static List<String> lines(List<Told> told) {
    return told.stream().map(Told::line).toList();
  }

  /** Plays a session without one of its calls; none is left out if there is no such number. */
  public static List<Told> play(ConversationKit kit, Session session, int without) {
    List<Session.Move> moves = session.moves();
    for (int i = 0; i < moves.size(); i++) {
      if (i != without) {
        kit.move(moves.get(i).side(), new Piece(i, 1, 1), moves.get(i).bytes());
      }
    }
    kit.end();
    return kit.ended().stream().map(Replay::told).toList();
  }

  private static Told told(Exchange exchange) {
    String line = ConversationKit.line(exchange).replaceFirst(" \\d+B/\\d+B", "");
    return new Told((int) exchange.begin().time(), (int) exchange.end().time(), line);
  }

  /** Cut before any byte, and into single ones, the same is told. */
  public static void assertCutsDoNotMatter(Protocol protocol, Session session) {
    assertThat(session.size()).as("bytes, each of which is a play").isLessThan(MOST_CUTS);
    ConversationKit.assertCutsDoNotMatter(protocol, session);
  }

  /** The same lines in the same order; says where they differ first. */
  public static void assertSame(List<String> told, List<String> expected) {
    for (int i = 0; i < Math.min(told.size(), expected.size()); i++) {
      assertThat(told.get(i)).as("exchange %d", i).isEqualTo(expected.get(i));
    }
    assertThat(told).hasSameSizeAs(expected);
  }

  /**
   * Of each call, only the first bytes are captured: nothing else is told, and most is. What ended
   * in a gap may be broken.
   */
  public static void assertToldInOrder(
      Protocol protocol, Session session, int capture, int leastPercent) {
    List<String> all = told(protocol, session);
    ConversationKit kit = ConversationKit.client(protocol).capturing(capture);
    List<String> told = lines(play(kit, session, -1));
    int at = 0;
    for (String line : told) {
      int from = at;
      while (at < all.size() && !couldBe(line, all.get(at))) {
        at++;
      }
      assertThat(at).as("%s behind %d of those that are told", line, from).isLessThan(all.size());
      at++;
    }
    assertThat(told.size() * 100 / all.size())
        .as("percent told when %d bytes are captured; lost: %s", capture, kit.lost())
        .isGreaterThanOrEqualTo(leastPercent);
  }

  private static boolean couldBe(String line, String whole) {
    String could = whole;
    if (line.endsWith("broken")) {
      could =
          could
              .replaceFirst(" db.response.status_code=\\S+", "")
              .replaceFirst("(failed: \\S+ )?complete$", "broken");
    }
    String seen = line.replace("failed: connection_closed ", "");
    return withoutText(seen).equals(withoutText(could));
  }

  private static String withoutText(String line) {
    return line.replaceFirst(" db.query.text=.*(?= db.(response|stored|system))", "");
  }

  /**
   * Whatever call was not seen, each exchange that begins some requests later is told as if nothing
   * had happened, except for what only the lost call could tell.
   *
   * @param rounds how many requests later
   */
  public static void assertLossesHeal(Protocol protocol, Session session, int rounds) {
    List<Told> all = play(ConversationKit.client(protocol), session, -1);
    for (int lost = 0; lost < session.moves().size(); lost++) {
      String what = lost + ": " + session.moves().get(lost);
      int from = requestsLater(session, lost, rounds);
      List<Told> told = play(ConversationKit.client(protocol), session, lost);
      assertAlike("without call " + what, since(told, from), since(all, from));
      List<Told> gap = playGap(protocol, session, lost);
      assertAlike("with a gap for call " + what, since(gap, from), since(all, from));
    }
  }

  private static void assertAlike(String what, List<Told> told, List<Told> expected) {
    for (int i = 0; i < Math.min(told.size(), expected.size()); i++) {
      Told one = told.get(i);
      boolean unknown = !one.line().contains("db.query.text=");
      assertThat(forget(one, unknown)).as(what).isEqualTo(forget(expected.get(i), unknown));
    }
    assertThat(told).as(what).hasSameSizeAs(expected);
  }

  /** Leaves out what the begin of a connection tells, and what a statement's preparation tells. */
  private static Told forget(Told told, boolean query) {
    String line =
        told.line().replaceFirst(" db.namespace=\\S+", "").replace("name=mariadb", "name=mysql");
    if (query) {
      line = line.replaceFirst(".* (db.response.status_code=\\S+ )?(db.system.name=)", "$1$2");
    }
    return new Told(told.begin(), told.end(), line);
  }

  private static List<Told> playGap(Protocol protocol, Session session, int lost) {
    ConversationKit kit = ConversationKit.client(protocol);
    List<Session.Move> moves = session.moves();
    for (int i = 0; i < moves.size(); i++) {
      Session.Move move = moves.get(i);
      if (i == lost) {
        kit.gap(move.side(), move.bytes().length);
      } else {
        kit.move(move.side(), new Piece(i, 1, 1), move.bytes());
      }
    }
    kit.end();
    return kit.ended().stream().map(Replay::told).toList();
  }

  private static List<Told> since(List<Told> told, int begin) {
    return told.stream().filter(each -> each.begin() >= begin && each.begin() < 1000).toList();
  }

  /** The number of a call so many requests after another. */
  private static int requestsLater(Session session, int index, int requests) {
    int left = requests;
    int at = index;
    while (left > 0 && ++at < session.moves().size()) {
      if (session.moves().get(at).side() == Side.REQUESTS) {
        left--;
      }
    }
    return at;
  }

  /**
   * Whichever call is the first that is seen, exchanges that begin some requests later are told.
   */
  public static void assertJoinsInMidLife(Protocol protocol, Session session, int rounds) {
    List<Told> all = play(ConversationKit.client(protocol), session, -1);
    for (int first = 1; first < session.moves().size(); first++) {
      ConversationKit kit = ConversationKit.client(protocol).joinedLate();
      List<Told> told = play(kit, blank(session, first), -1);
      int from = requestsLater(session, first, rounds);
      assertAlike("from call " + first + " on", since(told, from), since(all, from));
    }
  }

  private static Session blank(Session session, int first) {
    List<Session.Move> moves = new ArrayList<>(session.moves());
    for (int i = 0; i < first; i++) {
      moves.set(i, new Session.Move(moves.get(i).side(), new byte[0]));
    }
    return Session.of(moves);
  }

  /** Bytes that are changed, left out, doubled or made up upset nothing. */
  public static void assertNothingUpsets(Protocol protocol, Session session) {
    for (int seed = 0; seed < 400; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ConversationKit kit =
          random.nextBoolean()
              ? ConversationKit.client(protocol)
              : ConversationKit.server(protocol);
      if (random.nextInt(3) == 0) {
        kit.joinedLate();
      }
      if (random.nextInt(3) == 0) {
        kit.capturing(1 + random.nextInt(300));
      }
      for (Session.Move move : session.moves()) {
        Side side = random.nextInt(50) == 0 ? move.side().other() : move.side();
        byte[] bytes = move.bytes().clone();
        switch (random.nextInt(8)) {
          case 0 -> random.nextBytes(bytes);
          case 1 -> {
            if (bytes.length > 0) {
              bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
          }
          case 2 -> kit.gap(side, random.nextLong(1L << random.nextInt(1, 40)));
          default -> {}
        }
        for (int i = random.nextInt(12) == 0 ? 2 : 1; i > 0; i--) {
          kit.move(side, bytes);
        }
        assertThat(kit.inflow(side).held()).as("held, with seed %d", seed).isLessThan(1 << 17);
      }
      kit.end();
      assertThat(kit.isOpen() && !kit.isSwitched() && !kit.isMistaken())
          .as("open after the end, with seed %d", seed)
          .isFalse();
    }
  }

  /**
   * Among all protocols this one is recognised by the bytes alone, whoever is observed, and nothing
   * is missed of a connection that is seen from its begin.
   *
   * @param least how many exchanges are told if neither the begin nor the roles are known
   */
  public static void assertRecognised(Protocol protocol, Session session, int least) {
    List<String> expected = told(protocol, session);
    for (Flow.Way way : Flow.Way.values()) {
      List<Exchange> ended = new ArrayList<>();
      ExchangeListener listener =
          new ExchangeListener() {
            @Override
            public void opened(Exchange exchange, Channel channel, Flow flow) {}

            @Override
            public void ended(Exchange exchange, Channel channel, Flow flow) {
              ended.add(exchange);
            }
          };
      Connections connections = new Connections(ALL, ConnectionLimits.DEFAULT, listener);
      Flow flow = new Flow(7, false, way, null, null);
      if (way != Flow.Way.UNKNOWN) {
        connections.accept(new TrafficEvent.Opened(flow, new Piece(0, 1, 1)));
      }
      int time = 1;
      for (Session.Move move : session.moves()) {
        boolean written = (move.side() == Side.REQUESTS) == (way == Flow.Way.CONNECTED);
        byte[] bytes = move.bytes();
        int captured = Math.min(bytes.length, CAPTURED);
        connections.accept(
            new TrafficEvent.Moved(
                flow,
                written,
                new Piece(time++, 1, 1),
                Arrays.copyOf(bytes, captured),
                bytes.length));
      }
      assertThat(ended).as("%s", way).allMatch(each -> each.protocol().equals(protocol.name()));
      if (way == Flow.Way.UNKNOWN) {
        assertThat(ended).hasSizeGreaterThanOrEqualTo(least);
      } else {
        assertSame(ended.stream().map(each -> told(each).line()).toList(), expected);
      }
    }
  }

  /** A protocol does not take bytes of others for its own. */
  public static void assertRandomBytesAreNotTaken(Protocol protocol) {
    SplittableRandom random = new SplittableRandom(7);
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[64];
      random.nextBytes(bytes);
      for (Side side : Side.values()) {
        assertThat(ConversationKit.judge(protocol, side, bytes)).isNotEqualTo(Likeness.CLEAR);
        taken += ConversationKit.judge(protocol, side, bytes) == Likeness.PERHAPS ? 1 : 0;
      }
    }
    assertThat(taken).as("of 40,000 that could be").isLessThan(40);
  }
}
