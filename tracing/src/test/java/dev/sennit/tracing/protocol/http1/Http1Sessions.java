/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static dev.sennit.tracing.protocol.ConversationKit.attribute;

import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Session;
import java.util.List;

/** What the tests of HTTP/1 say on a connection, and how they read what was told of it. */
final class Http1Sessions {
  static final Protocol HTTP = new Http1Protocol();
  static final String GET =
      """
      GET /users/42?tab=a HTTP/1.1
      Host: example.com:8080
      User-Agent: curl/8
      Authorization: Bearer hush

      """;
  static final String OK =
      """
      HTTP/1.1 200 OK
      Content-Length: 5

      hello\
      """;

  private Http1Sessions() {}

  static Session session() {
    return Session.of();
  }

  /** The paths and statuses of what ended. */
  static List<String> results(ConversationKit kit) {
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

  static ConversationKit served(Session session) {
    return ConversationKit.server(HTTP).play(session).end();
  }

  static String get(String path) {
    return "GET " + path + " HTTP/1.1\nHost: a\n\n";
  }
}
