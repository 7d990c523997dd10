/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static dev.sennit.tracing.protocol.ConversationKit.attribute;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.GET;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.HTTP;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.OK;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.get;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.served;
import static dev.sennit.tracing.protocol.http1.Http1Sessions.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Session;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What is said of a request and its response, and what is not. */
final class Http1DescriptionTest {
  private static final String TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

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
