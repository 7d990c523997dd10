/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MysqlProtocolTest {
  private static final MysqlProtocol PROTOCOL = new MysqlProtocol();
  private static final String OK = "\0\0\0\2\0\0\0";
  private static final String EOF = "\376\0\0\2\0";
  private static final String COLUMN = "\3def\4shop\1t\1t\1a\1a\f\77\0\13\0\0\0\3\0\0\0\0\0";
  private static final String GREETING =
      "\n"
          + "8.0.36\0\1\0\0\0aaaaaaaa\0\377\377\377\2\0\377\337\25\0\0\0\0\0\0\0\0\0\0aaaaaaaaaaaa\0plugin\0";

  /** Capabilities: PROTOCOL_41, SECURE_CONNECTION, CONNECT_WITH_DB, and others. */
  private static String handshake(int more, String rest) {
    int capabilities = 0x8208 | more;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append((char) ((capabilities >> (8 * i)) & 0xff));
    }
    return text.append("\0\0\0\1\41").repeat("\0", 23).append(rest).toString();
  }

  private static byte[] packets(int sequence, String... payloads) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int next = sequence;
    for (String payload : payloads) {
      byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
      out.write(bytes.length);
      out.write(bytes.length >> 8);
      out.write(bytes.length >> 16);
      out.write(next++);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static Session login() {
    return Session.of()
        .response(packets(0, GREETING))
        .request(packets(1, handshake(0, "alice\0\4\0aaashop\0")))
        .response(packets(2, OK));
  }

  private static ConversationKit play(Session session) {
    return ConversationKit.client(PROTOCOL).play(session).end();
  }

  private static Likeness judge(Side side, byte[] bytes) {
    return ConversationKit.judge(PROTOCOL, side, bytes);
  }

  @Test
  void packetsAreRecognised() {
    assertThat(judge(Side.RESPONSES, packets(0, GREETING))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, packets(1, "\377\25\4#28000Access")))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, packets(1, "\1", COLUMN))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, packets(1, OK))).isEqualTo(Likeness.PERHAPS);
    assertThat(judge(Side.REQUESTS, packets(1, handshake(0, "alice\0\0shop\0"))))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, packets(0, "\3SELECT 1"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, packets(0, "\3\0\1SELECT 1"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, packets(0, "\26SELECT ?"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, packets(0, "\16"))).isEqualTo(Likeness.PERHAPS);
    assertThat(judge(Side.REQUESTS, new byte[] {9, 0, 0})).isEqualTo(Likeness.TOO_FEW);
  }

  @Test
  void otherProtocolsAreNot() {
    String[] others = {
      "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "PRI * HTTP/2.0\r\n", "*1\r\n$4\r\nPING\r\n",
          "+PONG\r\n",
      "\26\3\1\0\2\1\0\0\0\0", "Q\0\0\0\15SELECT 1\0", "Z\0\0\0\5I", "\0\0\0\10\4\322\26\57",
          "SSH-2.0-OpenSSH",
      "\72\0\0\0\1\0\0\0\0\0\0\0\335\7\0\0", "\72\0\0\0\3\0\0\0\0\0\0\0\335\7\0\0",
          "\0\0\22\4\0\0\0\0\0"
    };
    for (String other : others) {
      byte[] bytes = other.getBytes(StandardCharsets.ISO_8859_1);
      assertThat(judge(Side.REQUESTS, bytes)).as(other).isEqualTo(Likeness.NO);
      assertThat(judge(Side.RESPONSES, bytes)).as(other).isEqualTo(Likeness.NO);
    }
    Replay.assertRandomBytesAreNotTaken(PROTOCOL);
  }

  @Test
  void theDatabaseIsThatOfTheLogin() {
    Session session =
        login()
            .request(packets(0, "\3\0\1SELECT 'a' FROM t"))
            .response(packets(1, "\1", COLUMN, EOF, "\1a", EOF));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .containsExactly(
            "SELECT t db.collection.name=t db.namespace=shop db.operation.name=SELECT"
                + " db.query.summary=SELECT t db.query.text=SELECT ? FROM t db.system.name=mysql"
                + " 24B/63B complete");
    assertThat(kit.lost()).isEmpty();
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void resultsEndWithOrWithoutEof() {
    String ok = "\376\0\0\2\0\0\0";
    Session session =
        login()
            .request(packets(0, "\3SELECT a FROM t"))
            .response(packets(1, "\1", COLUMN, ok))
            .request(packets(0, "\3SELECT a FROM t"))
            .response(packets(1, "\1", COLUMN, "\1a", ok))
            .request(packets(0, "\3SELECT a FROM t; UPDATE t SET a = 1"))
            .response(packets(1, "\1", COLUMN, EOF, "\1a", "\376\0\0\12\0", OK));
    ConversationKit kit = play(session);
    assertThat(kit.ended()).hasSize(3).allMatch(each -> each.isComplete());
    assertThat(kit.ended().getLast().name()).isEqualTo("SELECT t UPDATE t");
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void statementsAreKnownByTheirNumber() {
    String prepared = "\0\7\0\0\0\1\0\1\0\0\0\0";
    Session session =
        login()
            .request(packets(0, "\26SELECT a FROM t WHERE b = ?"))
            .response(packets(1, prepared, COLUMN, EOF, COLUMN, EOF))
            .request(packets(0, "\27\7\0\0\0\0\1\0\0\0\0\1\375\0\6secret"))
            .response(packets(1, "\1", COLUMN, EOF, "\0\0\1a", EOF))
            .request(packets(0, "\31\7\0\0\0"))
            .request(packets(0, "\27\7\0\0\0\0\1\0\0\0"))
            .response(packets(1, "\377\333\4#HY000Unknown prepared statement"));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("SELECT t ").contains("WHERE b = ? "),
            line -> assertThat(line).startsWith("mysql ").contains("failed: 1243 "));
    assertThat(kit.lost()).isEmpty();
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void aStatementOnACursorIsFetchedByItself() {
    String prepared = "\0\7\0\0\0\1\0\0\0\0\0\0";
    ConversationKit kit =
        play(
            login()
                .request(packets(0, "\26SELECT a FROM t"))
                .response(packets(1, prepared, COLUMN))
                .request(packets(0, "\27\7\0\0\0\1\1\0\0\0"))
                .response(packets(1, "\1", COLUMN, "\376\0\0\102\0"))
                .request(packets(0, "\34\7\0\0\0\12\0\0\0"))
                .response(packets(1, "\0\0\1a", "\376\0\0\202\0")));
    assertThat(kit.ended()).hasSize(2).allMatch(each -> each.name().equals("SELECT t"));
    assertThat(kit.ended()).allMatch(each -> each.isComplete());
  }

  @Test
  void encryptionIsAnotherProtocol() {
    ConversationKit kit =
        play(Session.of().response(packets(0, GREETING)).request(packets(1, handshake(0x800, ""))));
    assertThat(kit.isSwitched()).isTrue();
    assertThat(kit.inflow(Side.REQUESTS).isSkipping()).isFalse();
  }

  @Test
  void insideOfTlsThereIsNoGreeting() {
    ConversationKit kit =
        ConversationKit.client(PROTOCOL)
            .overTls()
            .play(
                Session.of()
                    .request(packets(2, handshake(0x800, "alice\0\0shop\0")))
                    .response(packets(3, "\1\4"))
                    .response(packets(4, OK))
                    .request(packets(0, "\16"))
                    .response(packets(1, OK)));
    assertThat(kit.told())
        .containsExactly(
            "PING db.namespace=shop db.operation.name=PING db.system.name=mysql 5B/11B complete");
  }

  @Test
  void whatIsCompressedIsLeftAlone() {
    ConversationKit kit =
        play(
            Session.of()
                .response(packets(0, GREETING))
                .request(packets(1, handshake(0x20, "alice\0\0shop\0")))
                .response(packets(2, OK))
                .request("\t\0\0\0\0\0\0\5\0\0\0\3abcd"));
    assertThat(kit.told()).isEmpty();
    assertThat(kit.lost()).containsExactly(Map.entry(Lost.UNSUPPORTED, 1));
  }

  @Test
  void backslashesAreCharactersWhereTheServerSaysSo() {
    ConversationKit kit =
        play(
            login()
                .request(packets(0, "\3SET sql_mode = 'x'"))
                .response(packets(1, "\0\0\0\2\2\0\0"))
                .request(packets(0, "\3SELECT 'a\\', b, 'secret'"))
                .response(packets(1, OK)));
    assertThat(kit.told().getLast()).contains("db.query.text=SELECT ?, b, ? ");
  }

  @Test
  void anotherUserMayHaveAnotherDatabase() {
    ConversationKit kit =
        play(
            login()
                .request(packets(0, "\21bob\0\3aaaother\0\10\0"))
                .response(packets(1, "\376mysql_native_password\0aaaa"))
                .request(packets(2, "hash"))
                .response(packets(3, OK))
                .request(packets(0, "\16"))
                .response(packets(1, OK)));
    assertThat(kit.told())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("CHANGE_USER db.namespace=shop "),
            line -> assertThat(line).startsWith("PING db.namespace=other "));
    assertThat(kit.told().toString()).doesNotContain("bob").doesNotContain("alice");
  }

  @Test
  void anAnswerInAGapEndsWithTheLastCallBeforeTheNextRequest() {
    ConversationKit kit = ConversationKit.client(PROTOCOL).play(login());
    kit.move(Side.REQUESTS, packets(0, "\3SELECT a FROM t"));
    kit.gap(Side.RESPONSES, 100_000);
    var last = kit.move(Side.RESPONSES, packets(9, "\1a", EOF));
    kit.play(Session.of().request(packets(0, "\16")).response(packets(1, OK)));
    assertThat(kit.ended()).hasSize(2);
    assertThat(kit.ended().getFirst().isComplete()).isFalse();
    assertThat(kit.ended().getFirst().end()).isSameAs(last);
    assertThat(kit.ended().getLast().isComplete()).isTrue();
  }

  @Test
  void reportsOfProgressAreNoErrors() {
    ConversationKit kit =
        play(
            login()
                .request(packets(0, "\3ALTER TABLE t ADD b int"))
                .response(packets(1, "\377\377\377\1\1\2\0\0\0\4Copy", OK)));
    assertThat(kit.told()).singleElement().asString().endsWith("B complete");
  }
}
