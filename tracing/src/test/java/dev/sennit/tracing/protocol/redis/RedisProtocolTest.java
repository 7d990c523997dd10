/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Replay;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisProtocolTest {
  private static final RedisProtocol PROTOCOL = new RedisProtocol();

  private static Likeness judge(Side side, String text) {
    return ConversationKit.judge(PROTOCOL, side, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static ConversationKit play(Session session) {
    return ConversationKit.client(PROTOCOL).play(session).end();
  }

  @Test
  void commandsAndAnswersAreRecognised() {
    assertThat(judge(Side.REQUESTS, "*1\r\n$4\r\nPING\r\n")).isEqualTo(Likeness.CLEAR);
    assertThat(judge(Side.REQUESTS, "*2\r\n$3\r\nGE")).isEqualTo(Likeness.TOO_FEW);
    assertThat(judge(Side.REQUESTS, "*2\r")).isEqualTo(Likeness.TOO_FEW);
    assertThat(judge(Side.REQUESTS, "PING\r\n")).isEqualTo(Likeness.PERHAPS);
    for (String answer :
        new String[] {
          "+OK\r\n",
          "-ERR x\r\n",
          ":1\r\n",
          "$-1\r\n",
          "*2\r\n",
          "%1\r\n",
          "_\r\n",
          "#t\r\n",
          ",1.5\r\n"
        }) {
      assertThat(judge(Side.RESPONSES, answer)).as(answer).isEqualTo(Likeness.PERHAPS);
    }
  }

  @Test
  void otherProtocolsAreNot() {
    String[] others = {
      "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "\26\3\1\0\2\1\0", "Q\0\0\0\15SELECT 1\0",
          "\0\0\0\10\4\322\26\57",
      "*x\r\n", "*2\r\n+OK\r\n", "*1\r\n$3\r\n\0\1\2\r\n", "$5\r\nhello\r\n", "J\0\0\0\n8.0"
    };
    for (String other : others) {
      assertThat(judge(Side.REQUESTS, other)).as(other).isEqualTo(Likeness.NO);
    }
    assertThat(judge(Side.RESPONSES, "HTTP/1.1 200 OK\r\n")).isEqualTo(Likeness.NO);
    Replay.assertRandomBytesAreNotTaken(PROTOCOL);
  }

  @Test
  void inlineCommandsAreTold() {
    ConversationKit kit =
        play(
            Session.of()
                .request("\nSET secret value\n")
                .response("+OK\n")
                .request("QUIT\n")
                .response("+OK\n"));
    assertThat(kit.told())
        .containsExactly(
            "SET db.namespace=0 db.operation.name=SET db.query.text=SET ? ? db.system.name=redis"
                + " 18B/5B complete",
            "QUIT db.namespace=0 db.operation.name=QUIT db.query.text=QUIT db.system.name=redis"
                + " 6B/5B complete");
  }

  @Test
  void nestedAnswersPushesAndAttributesEndWhereTheyEnd() {
    Session session =
        Session.of()
            .request("*1\n$4\nKEYS\n*1\n$4\nPING\n")
            .response(">2\n$10\ninvalidate\n*1\n$1\na\n")
            .response("|1\n+ttl\n:3\n*3\n*2\n$3\nabc\n%1\n+a\n~0\n*-1\n=8\ntxt:abcd\n")
            .response("!9\nBUSY x\r\ny\n");
    ConversationKit kit = play(session);
    assertThat(kit.ended()).hasSize(2);
    assertThat(kit.ended().getFirst().errorType()).isNull();
    assertThat(kit.ended().getLast().errorType()).isEqualTo("BUSY");
    assertThat(kit.lost()).isEmpty();
    ConversationKit.assertCutsDoNotMatter(PROTOCOL, session);
  }

  @Test
  void watchersOfAllCommandsAreLeftAlone() {
    ConversationKit kit =
        play(
            Session.of()
                .request("*1\n$7\nMONITOR\n")
                .response("+OK\n")
                .response("+1.0 [0 127.0.0.1:1] \"SET\" \"secret\"\n")
                .request("*1\n$4\nPING\n"));
    assertThat(kit.told()).singleElement().asString().startsWith("MONITOR ");
    assertThat(kit.lost()).containsExactly(Map.entry(Lost.UNSUPPORTED, 1));
  }

  @Test
  void wordsThatAreNoNamesAreNotTold() {
    ConversationKit kit =
        play(Session.of().request("*2\n$6\nCLIENT\n$11\nmy password\n").response("-ERR\n"));
    assertThat(kit.told()).singleElement().asString().startsWith("CLIENT ").doesNotContain("pass");
    kit = play(Session.of().request("*1\n$11\nmy password\n").response("-ERR\n"));
    assertThat(kit.told()).isEmpty();
    assertThat(kit.lost()).containsEntry(Lost.MALFORMED, 1);
  }

  @Test
  void longCommandsAreCut() {
    String many = "$1\na\n".repeat(40);
    ConversationKit kit = play(Session.of().request("*41\n$3\nDEL\n" + many).response(":1\n"));
    assertThat(kit.told()).singleElement().asString().contains("DEL" + " ?".repeat(32) + " ... ");
  }

  @Test
  void aDatabaseThatIsSelectedInATransactionIsNotKnown() {
    ConversationKit kit =
        play(
            Session.of()
                .request("*2\n$6\nSELECT\n$1\n7\n")
                .response("+QUEUED\n")
                .request("*1\n$4\nPING\n")
                .response("+PONG\n"));
    assertThat(kit.told().getLast()).startsWith("PING db.operation.name=");
  }

  @Test
  void moreCommandsThanAreHeldAreCounted() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    for (int i = 0; i < 3000; i++) {
      kit.play(Session.of().request("*1\n$4\nPING\n"));
    }
    for (int i = 0; i < 3000; i++) {
      kit.play(Session.of().response("+PONG\n"));
    }
    kit.play(Session.of().request("*1\n$4\nPING\n").response("+PONG\n"));
    assertThat(kit.lost()).containsExactly(Map.entry(Lost.TOO_MANY_OPEN, 3000 - 1024));
    assertThat(kit.ended()).hasSize(1025).allMatch(each -> each.isComplete());
  }

  @Test
  void anAnswerInAGapEndsWithTheLastCallBeforeTheNextRequest() {
    ConversationKit kit = ConversationKit.client(PROTOCOL);
    kit.play(Session.of().request("*1\n$4\nKEYS\n"));
    kit.gap(Side.RESPONSES, 100_000);
    var last = kit.move(Side.RESPONSES, "x\r\n+OK\r\n".getBytes(StandardCharsets.US_ASCII));
    kit.play(Session.of().request("*1\n$4\nPING\n").response("+PONG\n"));
    assertThat(kit.ended()).hasSize(2);
    assertThat(kit.ended().getFirst().isComplete()).isFalse();
    assertThat(kit.ended().getFirst().end()).isSameAs(last);
    assertThat(kit.ended().getLast().isComplete()).isTrue();
  }
}
