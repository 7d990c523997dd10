/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static dev.sennit.tracing.protocol.http1.Http1Sessions.HTTP;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.OK;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.get;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.results;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.served;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Which bytes are which request and which response. */
final class Http1ConversationTest {
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
}
