/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static dev.sennit.tracing.protocol.ConversationKit.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class Http1ConversationTest {
  private static final Protocol HTTP = new Http1Protocol();
  private static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static final String GET =
      """
      GET /users/42?tab=a HTTP/1.1
      Host: example.com:8080
      User-Agent: curl/8
      Authorization: Bearer hush

      """;
  private static final String OK =
      """
      HTTP/1.1 200 OK
      Content-Length: 5

      hello\
      """;

  private static Session session() {
    return Session.of();
  }

  /** The paths and statuses of what ended. */
  private static List<String> results(ConversationKit kit) {
    return kit.ended().stream()
        .map(
            exchange ->
                exchange.name()
                    + " "
                    + attribute(exchange, "url.path")
                    + " "
                    + attribute(exchange, "http.response.status_code")
                    + (exchange.isComplete() ? "" : " broken"))
        .toList();
  }

  private static ConversationKit served(Session session) {
    return ConversationKit.server(HTTP).play(session).end();
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\nHost: a\n\n";
  }

  @Test
  void saysOfAServersRequestWhatTheConventionsName() {
    ConversationKit kit = served(session().request(GET).response(OK));
    assertThat(kit.told())
        .containsExactly(
            "GET http.request.method=GET http.response.status_code=200 network.protocol.version=1.1"
                + " server.address=example.com server.port=8080 url.path=/users/42 url.query=tab=a"
                + " url.scheme=http user_agent.original=curl/8 0B/5B complete");
    assertThat(kit.ended().getFirst().protocol()).isEqualTo("http");
    assertThat(kit.lost()).isEmpty();
  }

  @Test
  void saysOfAClientsRequestWhatTheConventionsName() {
    assertThat(ConversationKit.toldOf(HTTP, session().request(GET).response(OK)))
        .containsExactly(
            "GET http.request.method=GET http.response.status_code=200 network.protocol.version=1.1"
                + " server.address=example.com server.port=8080"
                + " url.full=http://example.com:8080/users/42?tab=a 0B/5B complete");
  }

  @Test
  void takesTheServersAddressWhereNoHostIsSaid() {
    ConversationKit kit =
        ConversationKit.client(HTTP)
            .overTls()
            .serverAt(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8443))
            .play(session().request("GET /x HTTP/1.0\n\n").response("HTTP/1.0 200 OK\n\nall"))
            .end();
    assertThat(kit.told())
        .containsExactly(
            "GET http.request.method=GET http.response.status_code=200 network.protocol.version=1.0"
                + " url.full=https://127.0.0.1:8443/x 0B/3B complete");
  }

  @Test
  void redactsWhatGivesAccess() {
    String request =
        "GET http://me:secret@h/f?sig=abc&x=1&Signature=&AWSAccessKeyId=k&X-Goog-Signature=z"
            + " HTTP/1.1\nHost: other\n\n";
    Exchange client =
        ConversationKit.client(HTTP)
            .play(session().request(request).response(OK))
            .ended()
            .getFirst();
    assertThat(attribute(client, "url.full"))
        .isEqualTo(
            "http://REDACTED:REDACTED@h/f?sig=REDACTED&x=1&Signature=REDACTED"
                + "&AWSAccessKeyId=REDACTED&X-Goog-Signature=REDACTED");
    assertThat(attribute(client, "server.address")).isEqualTo("h");
    Exchange server = served(session().request(request).response(OK)).ended().getFirst();
    assertThat(attribute(server, "url.query"))
        .isEqualTo(
            "sig=REDACTED&x=1&Signature=REDACTED&AWSAccessKeyId=REDACTED&X-Goog-Signature=REDACTED");
  }

  @Test
  void saysOtherForMethodsThatTheConventionsDoNotKnow() {
    Exchange exchange =
        served(session().request("PROPFIND /dav HTTP/1.1\nHost: a\n\n").response(OK))
            .ended()
            .getFirst();
    assertThat(exchange.name()).isEqualTo("HTTP");
    assertThat(attribute(exchange, "http.request.method")).isEqualTo("_OTHER");
    assertThat(attribute(exchange, "http.request.method_original")).isEqualTo("PROPFIND");
  }

  @Test
  void saysThatAStatusIsAnErrorOfTheSideWhoseErrorItIs() {
    Session missing = session().request(GET).response("HTTP/1.1 404 No\nContent-Length: 0\n\n");
    Session failed = session().request(GET).response("HTTP/1.1 503 No\nContent-Length: 0\n\n");
    assertThat(served(missing).ended().getFirst().errorType()).isNull();
    assertThat(served(failed).ended().getFirst().errorType()).isEqualTo("503");
    assertThat(ConversationKit.client(HTTP).play(missing).ended().getFirst().errorType())
        .isEqualTo("404");
  }

  @Test
  void readsTheContextThatARequestCarries() {
    String valid = "GET / HTTP/1.1\nTraceParent: " + TRACEPARENT + "\n\n";
    assertThat(served(session().request(valid).response(OK)).ended().getFirst().carried())
        .isEqualTo(TraceIds.parse(TRACEPARENT));
    String two = "GET / HTTP/1.1\ntraceparent: " + TRACEPARENT + "\ntraceparent: " + TRACEPARENT;
    assertThat(served(session().request(two + "\n\n").response(OK)).ended().getFirst().carried())
        .isNull();
  }

  @Test
  void tellsWhichCallHadTheEndOfWhichHead() {
    ConversationKit kit = ConversationKit.client(HTTP);
    Piece first =
        kit.move(Side.REQUESTS, "GET /1 HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
    Piece second =
        kit.move(Side.REQUESTS, "\r\nGET /2 HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    RequestIds one = new RequestIds(null, RequestIds.Source.LEFT_ALONE);
    RequestIds two = new RequestIds(null, RequestIds.Source.INJECTED);
    second.decided(one);
    second.decided(two);
    assertThat(kit.opened()).extracting(Exchange::decision).containsExactly(one, two);
    assertThat(kit.opened()).extracting(Exchange::begin).containsExactly(first, second);
  }

  @Test
  void followsAConnectionThatIsKept() {
    Session session = session();
    for (int i = 0; i < 5; i++) {
      session = session.request(get("/" + i)).response(OK);
    }
    assertThat(results(served(session)))
        .containsExactly("GET /0 200", "GET /1 200", "GET /2 200", "GET /3 200", "GET /4 200");
  }

  @Test
  void followsRequestsThatAreSentTogether() {
    Session session =
        session()
            .request(get("/1") + get("/2").replace("GET", "HEAD") + get("/3"))
            .response(OK + OK.replace("hello", "") + OK.replace("200", "201"))
            .request(get("/4"))
            .response(OK);
    assertThat(results(served(session)))
        .containsExactly("GET /1 200", "HEAD /2 200", "GET /3 201", "GET /4 200");
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
  }

  @Test
  void followsRequestsThatAreSentOneByOneBeforeTheirAnswers() {
    Session session =
        session()
            .request(get("/1"))
            .request(get("/2"))
            .response(OK)
            .response(OK.replace("200", "201"))
            .request(get("/3"))
            .response(OK);
    assertThat(results(served(session))).containsExactly("GET /1 200", "GET /2 201", "GET /3 200");
  }

  @Test
  void followsChunksWithExtensionsAndTrailers() {
    Session session =
        session()
            .request(
                """
                POST /a HTTP/1.1
                Transfer-Encoding: gzip, chunked

                5;x="y"
                hello
                00A
                0123456789
                0
                Digest: x
                Other: y

                """)
            .response(
                """
                HTTP/1.1 200 OK
                Transfer-Encoding: Chunked
                Content-Length: 3

                3
                GET
                0

                """)
            .request(get("/b"))
            .response(OK);
    ConversationKit kit = served(session);
    assertThat(results(kit)).containsExactly("POST /a 200", "GET /b 200");
    assertThat(kit.ended().getFirst().requestBytes()).isEqualTo(15);
    assertThat(kit.ended().getFirst().responseBytes()).isEqualTo(3);
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
  }

  @Test
  void passesOverInformationBeforeTheResponse() {
    Session session =
        session()
            .request("POST /a HTTP/1.1\nExpect: 100-continue\nContent-Length: 4\n\n")
            .response("HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: x\n\n")
            .request("body")
            .response(OK);
    assertThat(results(served(session))).containsExactly("POST /a 200");
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
  }

  @Test
  void findsTheNextRequestWhereABodyWasNotWanted() {
    Session session =
        session()
            .request("POST /a HTTP/1.1\nExpect: 100-continue\nContent-Length: 4000\n\n")
            .response("HTTP/1.1 417 No\nContent-Length: 0\n\n")
            .request(get("/b"))
            .response(OK);
    assertThat(results(served(session))).containsExactly("POST /a 417", "GET /b 200");
  }

  @Test
  void knowsResponsesThatHaveNoBody() {
    Session session =
        session()
            .request("HEAD /a HTTP/1.1\n\n")
            .response("HTTP/1.1 200 OK\nContent-Length: 5\n\n")
            .request(get("/b"))
            .response("HTTP/1.1 304 Not Modified\nContent-Length: 5\n\n")
            .request("DELETE /c HTTP/1.1\n\n")
            .response("HTTP/1.1 204 Gone\n\n")
            .request(get("/d"))
            .response(OK);
    assertThat(results(served(session)))
        .containsExactly("HEAD /a 200", "GET /b 304", "DELETE /c 204", "GET /d 200");
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
  }

  @Test
  void leavesAConnectionThatIsUpgraded() {
    ConversationKit kit =
        ConversationKit.server(HTTP)
            .play(
                session()
                    .request("GET /ws HTTP/1.1\nUpgrade: websocket\nConnection: Upgrade\n\n")
                    .response("HTTP/1.1 101 Switching\nUpgrade: websocket\n\n\u0081\u0005hello"));
    assertThat(results(kit)).containsExactly("GET /ws 101");
    assertThat(kit.isSwitched()).isTrue();
    assertThat(kit.inflow(Side.RESPONSES).size()).isEqualTo(7);
  }

  @Test
  void staysWhereAnUpgradeIsNotAccepted() {
    Session session =
        session()
            .request("GET /a HTTP/1.1\nUpgrade: h2c\nConnection: Upgrade\n\n")
            .response(OK)
            .request(get("/b"))
            .response(OK);
    assertThat(results(served(session))).containsExactly("GET /a 200", "GET /b 200");
  }

  @Test
  void leavesATunnel() {
    ConversationKit kit =
        ConversationKit.client(HTTP)
            .play(
                session()
                    .request("CONNECT db.example:443 HTTP/1.1\nHost: db.example:443\n\n")
                    .response("HTTP/1.1 200 Established\n\n\u0016\u0003"));
    assertThat(kit.isSwitched()).isTrue();
    assertThat(kit.told())
        .containsExactly(
            "CONNECT http.request.method=CONNECT http.response.status_code=200"
                + " network.protocol.version=1.1 server.address=db.example server.port=443"
                + " 0B/0B complete");
    assertThat(kit.inflow(Side.RESPONSES).size()).isEqualTo(2);
  }

  @Test
  void endsAResponseThatEndsWithTheConnection() {
    Session session =
        session().request("GET /a HTTP/1.0\n\n").response("HTTP/1.0 200 OK\n\nabc").response("def");
    ConversationKit kit = served(session);
    assertThat(results(kit)).containsExactly("GET /a 200");
    assertThat(kit.ended().getFirst().responseBytes()).isEqualTo(6);
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
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

  @Test
  void takesTheSameLengthTwice() {
    Session session =
        session()
            .request("POST /a HTTP/1.1\nContent-Length: 3\nContent-Length: 3, 3\n\nabc")
            .response(OK)
            .request(get("/b"))
            .response(OK);
    assertThat(results(served(session))).containsExactly("POST /a 200", "GET /b 200");
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
  void readsFoldedLinesAndLinesThatEndWithoutAReturn() {
    byte[] request =
        "\n\nGET /a HTTP/1.1\nX: b\n\tc\nHost: exa\n mple\nContent-Length: 2\n\nab"
            .getBytes(StandardCharsets.US_ASCII);
    byte[] response = "HTTP/1.1 200\nContent-Length: 0\n\n".getBytes(StandardCharsets.US_ASCII);
    Session session = session().request(request).response(response);
    ConversationKit kit = served(session);
    assertThat(results(kit)).containsExactly("GET /a 200");
    assertThat(kit.ended().getFirst().requestBytes()).isEqualTo(2);
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
  }

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
  void guessesRoutesOnlyWhenItShould() {
    Session session = session().request(get("/users/42")).response(OK);
    assertThat(served(session).ended().getFirst().name()).isEqualTo("GET");
    Exchange exchange =
        ConversationKit.server(new Http1Protocol(true)).play(session).ended().getFirst();
    assertThat(exchange.name()).isEqualTo("GET /users/{id}");
    assertThat(attribute(exchange, "http.route")).isEqualTo("/users/{id}");
  }

  @Test
  void tellsNoSecrets() {
    ConversationKit kit =
        served(
            session()
                .request("POST / HTTP/1.1\nAuthorization: hush\nCookie: hush\n\nhush")
                .response("HTTP/1.1 200 OK\nSet-Cookie: hush\nContent-Length: 4\n\nhush"));
    assertThat(kit.told().toString()).doesNotContain("hush");
  }
}
