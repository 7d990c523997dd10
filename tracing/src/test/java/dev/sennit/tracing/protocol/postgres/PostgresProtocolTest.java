/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PostgresProtocolTest {
  private static final PostgresProtocol PROTOCOL = new PostgresProtocol();
  private static final byte[] READY = message('Z', "I");

  static byte[] message(char type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) type)
        .putInt(4 + bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] untyped(int code, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(8 + bytes.length)
        .putInt(8 + bytes.length)
        .putInt(code)
        .put(bytes)
        .array();
  }

  private static byte[] all(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static ConversationKit play(Session session) {
    return ConversationKit.client(PROTOCOL).play(session).end();
  }

  private static Session query(String sql, String tag) {
    return Session.of()
        .request(message('Q', sql + "\0"))
        .response(all(message('C', tag + "\0"), READY));
  }

  @Test
  void requestsAreRecognised() {
    assertThat(judge(Side.REQUESTS, untyped(MessageFormat.SSL_REQUEST, "")))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, untyped(MessageFormat.GSS_REQUEST, "")))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, untyped(3 << 16, "user\0a\0\0"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, message('Q', "SELECT 1\0"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, all(message('B', "\0\0\0\0\0\0\0\0"), message('S', ""))))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, message('S', ""))).isEqualTo(Likeness.PERHAPS);
    assertThat(judge(Side.REQUESTS, new byte[] {'Q', 0})).isEqualTo(Likeness.TOO_FEW);
  }

  @Test
  void responsesAreRecognised() {
    assertThat(judge(Side.RESPONSES, READY)).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, message('R', "\0\0\0\0"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, message('E', "SERROR\0\0"))).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, all(message('1', ""), message('2', ""))))
        .isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.RESPONSES, new byte[] {'N'})).isEqualTo(Likeness.TOO_FEW);
  }

  private static Likeness judge(Side side, byte[] bytes) {
    return ConversationKit.judge(PROTOCOL, side, bytes);
  }

  @Test
  void otherProtocolsAreNot() {
    String[] others = {
      "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "PRI * HTTP/2.0\r\n", "*1\r\n$4\r\nPING\r\n",
          "+PONG\r\n",
      "\26\3\1\0\2\1\0", "Z\0\0\0\n8.0.36\0", "S\0\0\0\n5.5.5-10.11\0", "\1\0\0\0\16",
          "E\0\0\0\n5.7\0",
      "SSH-2.0-OpenSSH", "\0\0\0\22\4\0\0\0\0\0", "\72\0\0\0\1\0\0\0\0\0\0\0\335\7\0\0"
    };
    for (String other : others) {
      byte[] bytes = other.getBytes(StandardCharsets.ISO_8859_1);
      assertThat(judge(Side.REQUESTS, bytes)).as(other).isEqualTo(Likeness.NO);
      assertThat(judge(Side.RESPONSES, bytes)).as(other).isEqualTo(Likeness.NO);
    }
    Replay.assertRandomBytesAreNotTaken(PROTOCOL);
  }

  @Test
  void encryptionThatIsRefusedIsPassed() {
    Session session =
        Session.of()
            .request(untyped(MessageFormat.GSS_REQUEST, ""))
            .response("N")
            .request(untyped(MessageFormat.SSL_REQUEST, ""))
            .response("N")
            .request(untyped(3 << 16, "user\0alice\0database\0shop\0search_path\0\"a\", b\0\0"))
            .response(all(message('R', "\0\0\0\3")))
            .request(message('p', "hunter2\0"))
            .response(all(message('R', "\0\0\0\0"), READY))
            .then(query("SELECT 1", "SELECT 1"));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .containsExactly(
            "SELECT db.namespace=shop|a db.operation.name=SELECT db.query.summary=SELECT"
                + " db.query.text=SELECT ? db.system.name=postgresql 14B/20B complete");
    assertThat(kit.lost()).isEmpty();
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void encryptionThatIsAcceptedIsAnotherProtocol() {
    ConversationKit kit =
        play(Session.of().request(untyped(MessageFormat.SSL_REQUEST, "")).response("S"));
    assertThat(kit.isSwitched()).isTrue();
  }

  @Test
  void aRequestToCancelIsNotTold() {
    ConversationKit kit =
        play(Session.of().request(untyped(MessageFormat.CANCEL_REQUEST, "\0\0\0\1\0\0\0\2")));
    assertThat(kit.told()).isEmpty();
    assertThat(kit.lost()).isEmpty();
  }

  @Test
  void backslashesEndNoStringWhereTheServerSaysSo() {
    ConversationKit kit =
        play(
            Session.of()
                .response(all(message('S', "standard_conforming_strings\0off\0"), READY))
                .then(query("SELECT 'a\\' secret'", "SELECT 1")));
    assertThat(kit.told().getFirst()).contains("db.query.text=SELECT ? ");
  }

  @Test
  void errorsBeforeTheSynchronisationPassOverWhatFollows() {
    byte[] parse = message('P', "\0SELECT a FROM t\0\0\0");
    byte[] bind = message('B', "\0\0\0\0\0\0\0\0");
    byte[] execute = message('E', "\0\0\0\0\0");
    ConversationKit kit =
        play(
            Session.of()
                .request(all(parse, bind, execute, bind, execute, message('S', "")))
                .request(all(parse, bind, execute, message('S', "")))
                .response(all(message('E', "SERROR\0C42P01\0Msecret\0\0"), READY))
                .response(
                    all(message('1', ""), message('2', ""), message('C', "SELECT 0\0"), READY)));
    assertThat(kit.told())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("failed: 42P01 complete"),
            line -> assertThat(line).endsWith("failed: _OTHER complete"),
            line -> assertThat(line).endsWith("B complete"));
  }

  @Test
  void preparationsAreToldIfTheyFail() {
    byte[] prepare = all(message('P', "s\0SELECT a FROM t\0\0\0"), message('S', ""));
    ConversationKit kit =
        play(
            Session.of()
                .request(prepare)
                .response(all(message('1', ""), READY))
                .request(prepare)
                .response(all(message('E', "SERROR\0C42P05\0\0"), READY)));
    assertThat(kit.told()).singleElement().asString().startsWith("SELECT t ").contains("42P05");
  }

  @Test
  void copyingByTheExtendedProtocolIgnoresTheSynchronisationBeforeIt() {
    byte[] begin =
        all(
            message('P', "\0COPY t FROM STDIN\0\0\0"),
            message('B', "\0\0\0\0\0\0\0\0"),
            message('E', "\0\0\0\0\0"),
            message('S', ""));
    Session copy =
        Session.of()
            .request(begin)
            .response(all(message('1', ""), message('2', ""), message('G', "\0\0\1\0\0")))
            .request(all(message('d', "secret"), message('c', ""), message('S', "")))
            .response(all(message('C', "COPY 1\0"), READY));
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    for (int i = 0; i < 5; i++) {
      kit.play(copy).play(query("UPDATE t SET a = 1", "UPDATE 1"));
      assertThat(kit.isOpen()).isFalse();
    }
    assertThat(kit.ended()).hasSize(10);
    assertThat(kit.lost()).isEmpty();
  }

  @Test
  void callsOfFunctionsAndReplicationHaveNoText() {
    Session session =
        Session.of()
            .request(message('F', "\0\0\0\1\0\0\0\0\0\0"))
            .response(all(message('V', "\377\377\377\377"), READY))
            .request(message('Q', "START_REPLICATION SLOT s\0"))
            .response(message('W', "\0\0\0"))
            .response(message('d', "secret"));
    ConversationKit kit = play(session);
    assertThat(kit.told())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("FunctionCall db.operation.name=FunctionCall "),
            line -> assertThat(line).startsWith("postgresql db.query.text=START_REPLICATION"));
    assertThat(kit.lost()).containsExactly(java.util.Map.entry(Lost.UNSUPPORTED, 1));
  }

  @Test
  void anAnswerInAGapEndsWithTheLastCallBeforeTheNextRequest() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    kit.move(Side.REQUESTS, message('Q', "SELECT * FROM big\0"));
    kit.gap(Side.RESPONSES, 100_000);
    var last = kit.move(Side.RESPONSES, new byte[300]);
    kit.play(query("SELECT 1", "SELECT 1")).end();
    assertThat(kit.ended()).hasSize(2);
    assertThat(kit.ended().getFirst().isComplete()).isFalse();
    assertThat(kit.ended().getFirst().end()).isSameAs(last);
    assertThat(kit.ended().getLast().isComplete()).isTrue();
  }

  @Test
  void theEndOfAnAnswerIsFoundBehindAGap() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    kit.move(Side.REQUESTS, message('Q', "SELECT * FROM big\0"));
    kit.gap(Side.RESPONSES, 100_000);
    var last = kit.move(Side.RESPONSES, all(new byte[300], message('C', "SELECT 9\0"), READY));
    assertThat(kit.ended())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.isComplete()).isTrue();
              assertThat(each.end()).isSameAs(last);
            });
  }

  @Test
  void moreRequestsThanAreHeldAreCounted() {
    byte[] execute = message('E', "\0\0\0\0\0");
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    for (int i = 0; i < 3000; i++) {
      kit.move(Side.REQUESTS, execute);
    }
    kit.move(Side.REQUESTS, message('S', ""));
    for (int i = 0; i < 3000; i++) {
      kit.move(Side.RESPONSES, message('C', "SELECT 1\0"));
    }
    kit.move(Side.RESPONSES, READY);
    kit.play(query("SELECT 1", "SELECT 1"));
    assertThat(kit.lost()).containsExactly(java.util.Map.entry(Lost.TOO_MANY_OPEN, 3000 - 1024));
    assertThat(kit.ended()).hasSize(1025).allMatch(each -> each.isComplete());
  }

  @Test
  void whatIsOpenEndsWithTheConnection() {
    ConversationKit kit =
        play(
            Session.of()
                .request(message('Q', "SELECT pg_sleep(9)\0"))
                .response(message('E', "SFATAL\0C57P01\0\0")));
    assertThat(kit.told()).singleElement().asString().endsWith("failed: 57P01 complete");
    kit = play(Session.of().request(message('Q', "SELECT pg_sleep(9)\0")));
    assertThat(kit.told()).singleElement().asString().endsWith("failed: connection_closed broken");
  }
}
