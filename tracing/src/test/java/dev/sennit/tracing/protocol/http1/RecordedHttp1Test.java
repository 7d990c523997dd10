/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.LoopbackTap;
import dev.sennit.tracing.protocol.Session;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of real clients and servers. */
final class RecordedHttp1Test {
  private static final Http1Protocol HTTP = new Http1Protocol();

  private HttpServer server;
  private LoopbackTap tap;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          String path = exchange.getRequestURI().getPath();
          byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
          boolean chunked = path.equals("/chunked");
          int status = path.equals("/missing") ? 404 : path.equals("/empty") ? 204 : 200;
          boolean empty = status == 204 || exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(status, empty ? -1 : chunked ? 0 : body.length);
          if (!empty) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    tap = LoopbackTap.before(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    tap.close();
    server.stop(0);
  }

  private String url(String path) {
    return "http://localhost:" + tap.port() + path;
  }

  private static List<String> summary(Session session) {
    return ConversationKit.server(HTTP).play(session).end().ended().stream()
        .map(
            exchange ->
                exchange.name()
                    + " "
                    + ConversationKit.attribute(exchange, "url.path")
                    + " "
                    + ConversationKit.attribute(exchange, "http.response.status_code")
                    + " "
                    + exchange.requestBytes()
                    + "/"
                    + exchange.responseBytes())
        .toList();
  }

  private static void assertRobust(Session session) {
    ConversationKit.assertCutsDoNotMatter(HTTP, session);
    ConversationKit.assertLossIsLocal(HTTP, session, 1);
    for (Session.Move move : session.moves().subList(0, 1)) {
      assertThat(ConversationKit.judge(HTTP, move.side(), move.bytes())).isEqualTo(Likeness.CLEAR);
    }
  }

  @Test
  void understandsTheJdksClientAndServer() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<HttpRequest> requests = new ArrayList<>();
      requests.add(HttpRequest.newBuilder(URI.create(url("/a?b=c"))).build());
      requests.add(
          HttpRequest.newBuilder(URI.create(url("/chunked")))
              .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[9])))
              .build());
      requests.add(
          HttpRequest.newBuilder(URI.create(url("/missing")))
              .expectContinue(true)
              .PUT(BodyPublishers.ofString("abc"))
              .build());
      requests.add(HttpRequest.newBuilder(URI.create(url("/head"))).HEAD().build());
      requests.add(
          HttpRequest.newBuilder(URI.create(url("/empty")))
              .method("PATCH", BodyPublishers.noBody())
              .build());
      for (HttpRequest request : requests) {
        client.send(request, BodyHandlers.ofString());
      }
    }
    Session session = tap.sessions().getFirst();
    assertThat(summary(session))
        .containsExactly(
            "GET /a 200 0/5",
            "POST /chunked 200 9/5",
            "PUT /missing 404 3/5",
            "HEAD /head 200 0/0",
            "PATCH /empty 204 0/0");
    assertRobust(session);
  }

  @Test
  @Requires(commands = "curl")
  void understandsCurl() throws IOException, InterruptedException {
    try (ChildProcess curl =
        ChildProcess.start(
            List.of(
                "curl",
                "-s",
                "-o",
                "/dev/null",
                "-o",
                "/dev/null",
                "-o",
                "/dev/null",
                url("/1"),
                url("/chunked"),
                url("/missing")))) {
      assertThat(curl.waitFor()).isZero();
    }
    Session session = tap.sessions().getFirst();
    assertThat(summary(session))
        .containsExactly("GET /1 200 0/5", "GET /chunked 200 0/5", "GET /missing 404 0/5");
    assertRobust(session);
  }

  @Test
  @Requires(commands = "node")
  void understandsNode(@TempDir Path folder) throws IOException {
    Path script = folder.resolve("client.js");
    Files.writeString(
        script,
        """
        const http = require('http');
        const agent = new http.Agent({keepAlive: true, maxSockets: 1});
        const base = process.argv[2];
        function one(path, method, body) {
          return new Promise((done) => {
            const request = http.request(base + path, {agent, method}, (response) => {
              response.resume();
              response.on('end', () => setImmediate(done));
            });
            if (body) request.write(body);
            request.end();
          });
        }
        (async () => {
          await one('/1', 'GET');
          await one('/2', 'POST', 'abc');
          await one('/chunked', 'PUT', 'abcdef');
          process.exit(0);
        })();
        """);
    try (ChildProcess node = ChildProcess.start(List.of("node", script.toString(), url("")))) {
      assertThat(node.waitFor()).isZero();
    }
    Session session = tap.sessions().getFirst();
    assertThat(summary(session))
        .containsExactly("GET /1 200 0/5", "POST /2 200 3/5", "PUT /chunked 200 6/5");
    assertRobust(session);
  }
}
