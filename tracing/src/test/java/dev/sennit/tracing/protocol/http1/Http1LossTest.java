/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static dev.sennit.tracing.protocol.http1.Http1Sessions.GET;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.HTTP;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.OK;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.get;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.results;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.served;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told where bytes are missing, contradict each other or are no HTTP. */
final class Http1LossTest {
  @Test
  void saysWhatItKnowsOfAHeadThatIsLongerThanWhatIsCaptured() {
    String tail = "X-Long: " + "x".repeat(300) + "\n\n";
    Session session =
        session()
            .request(get("/a").stripTrailing() + "\n" + tail)
            .response("HTTP/1.1 201 OK\nContent-Length: 2\n" + tail + "ok")
            .request(get("/b"))
            .response(OK);
    ConversationKit kit = ConversationKit.server(HTTP).capturing(120).play(session).end();
    assertThat(results(kit)).containsExactly("GET /a 201", "GET /b 200");
    assertThat(kit.lost()).containsEntry(Lost.GAP, 2);
    assertThat(kit.ended().getFirst().end().time()).isEqualTo(3000);
  }

  @Test
  void doesNotNeedTheBytesOfBodies() {
    String body = "x".repeat(10_000);
    Session session =
        session()
            .request("POST /a HTTP/1.1\nContent-Length: 10000\n\n" + body)
            .response("HTTP/1.1 200 OK\nContent-Length: 10000\n\n" + body)
            .request("POST /b HTTP/1.1\nTransfer-Encoding: chunked\n\n" + "2710\n" + body)
            .request("\n0\n\n")
            .response(OK);
    ConversationKit kit = ConversationKit.server(HTTP).capturing(100).play(session).end();
    assertThat(results(kit)).containsExactly("POST /a 200", "POST /b 200");
    assertThat(kit.lost()).isEmpty();
  }

  @Test
  void endsAChunkedResponseWhoseChunksWereNotAllSeen() {
    String chunk = "64\n" + "x".repeat(100) + "\n";
    Session session =
        session()
            .request(get("/a"))
            .response("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + chunk + chunk)
            .response("0\n\n")
            .request(get("/b"))
            .response("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + chunk + chunk + "0\n\n")
            .request(get("/c"))
            .response(OK);
    ConversationKit kit = ConversationKit.server(HTTP).capturing(120).play(session).end();
    assertThat(results(kit)).containsExactly("GET /a 200", "GET /b 200", "GET /c 200");
    assertThat(kit.lost()).containsEntry(Lost.GAP, 2);
  }

  @Test
  void joinsAConnectionInTheMiddle() {
    Session session =
        session()
            .response("the end of a body")
            .request(get("/a"))
            .response(OK)
            .request(get("/b"))
            .response(OK);
    ConversationKit kit = ConversationKit.server(HTTP).joinedLate().play(session).end();
    assertThat(results(kit)).containsExactly("GET /a 200", "GET /b 200");
    ConversationKit late = ConversationKit.server(HTTP).joinedLate().play(session.from(2)).end();
    assertThat(results(late)).containsExactly("GET /b 200");
    assertThat(late.lost()).containsExactly(Map.entry(Lost.NO_REQUEST, 1));
  }

  @Test
  void isRightAgainAfterACallThatWasNotSeen() {
    Session session = session();
    for (int i = 0; i < 6; i++) {
      session =
          session
              .request("POST /" + i + " HTTP/1.1\nHost: a\nContent-Length: 4\n\n")
              .request("ab")
              .request("cd")
              .response("HTTP/1.1 20" + i + " OK\nContent-Length: 6\n\n")
              .response("abc")
              .response("def");
    }
    for (int i = 0; i < session.moves().size(); i++) {
      ConversationKit kit = served(session.without(i));
      int hit = i / 6;
      List<String> expected = new ArrayList<>();
      for (int j = 0; j < 6; j++) {
        expected.add("POST /" + j + " 20" + j);
      }
      assertThat(results(kit)).as("without %d", i).containsAll(without(expected, hit));
      assertThat(results(kit)).as("without %d", i).hasSizeLessThanOrEqualTo(6);
    }
  }

  private static List<String> without(List<String> all, int index) {
    List<String> rest = new ArrayList<>(all);
    rest.remove(index);
    return rest;
  }

  @Test
  void findsItsPlaceWhereLengthsContradictEachOther() {
    ConversationKit kit =
        served(
            session()
                .request("POST /a HTTP/1.1\nContent-Length: 3\nContent-Length: 4\n\n")
                .request("abcd")
                .response(OK)
                .request(get("/b"))
                .response(OK));
    assertThat(results(kit)).containsExactly("POST /a 200", "GET /b 200");
    assertThat(kit.lost()).containsEntry(Lost.MALFORMED, 1);
  }

  @Test
  void givesUpWhatIsNotHttp() {
    ConversationKit kit =
        ConversationKit.client(HTTP).play(session().request("*1\n$4\nPING\n").response("+PONG\n"));
    assertThat(kit.isMistaken()).isTrue();
    assertThat(kit.ended()).isEmpty();
  }

  @Test
  void holdsABoundedNumberOfRequests() {
    ConversationKit kit = ConversationKit.server(HTTP);
    for (int i = 0; i < 3000; i++) {
      kit.play(session().request(get("/" + i)));
    }
    assertThat(kit.opened()).hasSize(3000);
    assertThat(kit.ended()).hasSizeGreaterThan(1900);
    assertThat(kit.lost()).containsKey(Lost.TOO_MANY_OPEN);
    kit.end();
    assertThat(kit.ended()).hasSize(3000);
  }

  @Test
  void saysThatAResponseDidNotCome() {
    ConversationKit client = ConversationKit.client(HTTP).play(session().request(GET)).end();
    assertThat(client.ended().getFirst().isComplete()).isFalse();
    assertThat(client.ended().getFirst().errorType()).isEqualTo("connection_closed");
    ConversationKit half =
        ConversationKit.client(HTTP)
            .play(session().request(GET).response("HTTP/1.1 200 OK\nContent-Length: 9\n\nabc"))
            .end();
    assertThat(half.told().getFirst()).contains("status_code=200").endsWith("broken");
  }
}
