/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a header may be put into a stream of requests, and where nobody can tell. */
final class RequestFramingTest {
  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static int place(RequestFraming framing, String text) {
    byte[] bytes = bytes(text);
    return framing.place(bytes, 0, bytes.length);
  }

  private static void follow(RequestFraming framing, String text) {
    byte[] bytes = bytes(text);
    framing.follow(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "DELETE /a?b=c HTTP/1.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-LENGTH:  27 \r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nGET\r\n0\r\nT: u\r\n\r\n",
        "GET /first HTTP/1.1\r\n\r\nGET /second HTTP/1.1\r\n\r\n",
      })
  void afterAWholeRequestComesTheNext(String request) {
    RequestFraming whole = new RequestFraming();
    assertThat(place(whole, request)).isEqualTo(request.indexOf('\n') + 1);
    follow(whole, request);
    assertThat(place(whole, NEXT)).isEqualTo(NEXT.indexOf('\n') + 1);
  }

  @Test
  void aBodyMayBeCutAnywhere() {
    String head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    String body = "12\r\nGET / HTTP/1.1\r\n\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (int first = 0; first <= body.length(); first++) {
      for (int second = first; second <= body.length(); second++) {
        RequestFraming framing = new RequestFraming();
        follow(framing, head);
        follow(framing, body.substring(0, first));
        follow(framing, body.substring(first, second));
        follow(framing, body.substring(second));
        assertThat(place(framing, NEXT)).as("%d, %d", first, second).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "GET / HTTP/1.1\nHost: a\n\n",
        "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\n\r\n",
        "get / HTTP/1.1\r\n\r\n",
        "\0\1\2",
      })
  void whatIsInDoubtIsLeftAloneForGood(String text) {
    RequestFraming framing = new RequestFraming();
    assertThat(place(framing, text)).isEqualTo(-1);
    follow(framing, text);
    assertThat(framing.isUnknown()).isTrue();
    assertThat(place(framing, NEXT)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"traceparent", "Traceparent", "TRACEPARENT"})
  void whatHasAHeaderKeepsIt(String name) {
    RequestFraming framing = new RequestFraming();
    String request = "GET / HTTP/1.1\r\nHost: a\r\n" + name + ": whatever\r\n\r\n";
    assertThat(place(framing, request)).isEqualTo(-1);
    follow(framing, request);
    assertThat(place(framing, NEXT)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\n\r\n",
      })
  void whatMayBecomeAnotherProtocolIsTheLast(String request) {
    RequestFraming framing = new RequestFraming();
    assertThat(place(framing, request)).isPositive();
    follow(framing, request);
    assertThat(place(framing, NEXT)).isEqualTo(-1);
  }
}
