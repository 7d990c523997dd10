/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebServerTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final CountDownLatch listenerGone = new CountDownLatch(1);
  private WebServer server;

  /** Tells what it was asked. */
  private static final class Echo implements View {
    @Override
    public String path() {
      return "echo/{id}";
    }

    @Override
    public void write(Query query, JsonGenerator out) throws IOException, ViewException {
      if (query.part("id").equals("none")) {
        throw ViewException.missing("there is no none");
      }
      if (query.part("id").equals("fault")) {
        throw new IllegalStateException("a <fault>");
      }
      out.writeStartObject();
      out.writeStringField("id", query.part("id"));
      out.writeNumberField("limit", query.number("limit", 1, 100, 10));
      out.writeStringField("text", query.text("text").orElse(""));
      out.writeEndObject();
    }
  }

  /** Counts until its listener has gone. */
  private final class Counting implements LiveView {
    @Override
    public String path() {
      return "counting";
    }

    @Override
    public void run(Query query, Events events)
        throws IOException, InterruptedException, ViewException {
      long from = query.number("from", 0, 1000, 0);
      try {
        for (long i = from; ; i++) {
          long number = i;
          events.send("number", out -> out.writeString("number " + number + "\n"));
          events.pause(Duration.ofMillis(1));
        }
      } finally {
        listenerGone.countDown();
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        WebServer.start(
            WebSettings.onLoopback(0), Site.EMPTY.with(new Echo()).withLive(new Counting()));
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html; charset=utf-8",
    "/overview, text/html; charset=utf-8",
    "/overview/deep/link, text/html; charset=utf-8",
    "/app.js, text/javascript; charset=utf-8",
    "/style.css, text/css; charset=utf-8",
    "/icon.svg, image/svg+xml",
    "/lit/lit-html/lit-html.js, text/javascript; charset=utf-8",
  })
  void filesOfThePageHaveTheirTypesAndTheirTags(String path, String type) throws Exception {
    HttpResponse<byte[]> whole = get(path);
    HttpResponse<byte[]> compressed = get(path, "Accept-Encoding", "gzip");
    String tag = whole.headers().firstValue("etag").orElseThrow();
    HttpResponse<byte[]> again = get(path, "If-None-Match", tag);

    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.headers().firstValue("content-type")).hasValue(type);
    assertThat(compressed.headers().firstValue("content-encoding")).hasValue("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
        .isEqualTo(whole.body());
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing",
        "/missing.js",
        "/lit/lit-html/directives/unsafe-html.js",
        "/lit",
        "/../WebServer.class",
        "/%2e%2e/web/WebServer.class",
        "/..%2fweb%2fWebServer.class",
        "/app.js/",
        "/lit/lit-html/LICENSE",
      })
  void whatIsNotThereIsNotFound(String path) throws Exception {
    String line = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(line).matches("HTTP/1.1 40[04] .*");
  }

  @Test
  void everyAnswerTellsBrowsersToTrustNothingElse() throws Exception {
    for (String path : List.of("/", "/app.js", "/nothing", "/api/echo/1", "/api/nothing")) {
      var headers = get(path).headers();

      assertThat(headers.firstValue("content-security-policy"))
          .get()
          .asString()
          .startsWith("default-src 'none'; script-src 'self' 'sha256-")
          .contains("; style-src 'self';", "; frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
      assertThat(headers.firstValue("referrer-policy")).hasValue("no-referrer");
      assertThat(headers.firstValue("cross-origin-opener-policy")).hasValue("same-origin");
      assertThat(headers.firstValue("cross-origin-resource-policy")).hasValue("same-origin");
      assertThat(headers.firstValue("access-control-allow-origin")).isEmpty();
    }
  }

  @Test
  void aViewIsAskedAndAnswersInJson() throws Exception {
    HttpResponse<byte[]> response = get("/api/echo/a%20b?limit=7&text=%3Cscript%3E");

    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.body())
        .asString(UTF_8)
        .isEqualTo("{\"id\":\"a b\",\"limit\":7,\"text\":\"<script>\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/echo/none, 404, there is no none",
    "/api/nothing, 404, there is no /api/nothing",
    "/api, 404, there is no /api",
    "/api/live/nothing, 404, there is no /api/live/nothing",
    "/api/live/counting?from=-1, 400, 'from is -1, but must be a number from 0 to 1000'",
    "/api/echo/1?limit=101, 400, 'limit is 101, but must be a number from 1 to 100'",
    "/api/echo/1?limit=many, 400, 'limit is many, but must be a number from 1 to 100'",
    "/api/echo/fault, 500, echo/{id} cannot be shown: java.lang.IllegalStateException: a <fault>",
  })
  void whatIsWrongIsSaidInJson(String path, int status, String text) throws Exception {
    HttpResponse<byte[]> response = get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.body()).asString(UTF_8).isEqualTo("{\"error\":\"" + text + "\"}");
  }

  @Test
  void whatHappensIsToldUntilTheListenerHasGone() throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(uri("/api/live/counting?from=5")).build(),
            BodyHandlers.ofInputStream());
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      while (lines.size() < 6) {
        lines.add(reader.readLine());
      }
    }

    assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
    assertThat(lines)
        .containsExactly(
            "event: number",
            "data: \"number 5\\n\"",
            "",
            "event: number",
            "data: \"number 6\\n\"",
            "");
    listenerGone.await();
  }

  @Test
  void listenersAreBounded() throws Exception {
    List<HttpResponse<InputStream>> listeners = new ArrayList<>();
    HttpResponse<InputStream> last;
    do {
      last =
          client.send(
              HttpRequest.newBuilder(uri("/api/live/counting")).build(),
              BodyHandlers.ofInputStream());
      listeners.add(last);
    } while (last.statusCode() == 200);

    assertThat(listeners).hasSize(33);
    assertThat(last.statusCode()).isEqualTo(503);
    for (HttpResponse<InputStream> listener : listeners) {
      listener.body().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "localhost.evil.example", "10.1.2.3:80"})
  void anotherNameForThisHostIsNotAnswered(String host) throws Exception {
    assertThat(raw("GET /api/echo/1 HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
        .isEqualTo("HTTP/1.1 403 Forbidden");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
  void nothingCanBeChanged(String method) throws Exception {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(uri("/api/echo/1"))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofByteArray());

    assertThat(response.statusCode()).isEqualTo(405);
  }

  @Test
  void anotherAddressNeedsAToken() {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);

    assertThat(WebSettings.on(everywhere).token()).isPresent();
    assertThat(WebSettings.on(everywhere).toString())
        .doesNotContain(WebSettings.on(everywhere).token().orElseThrow().text());
    assertThatThrownBy(() -> new WebSettings(everywhere, Optional.empty()))
        .hasMessageContaining("the page needs a token on 0.0.0.0");
  }

  @Test
  void theTokenOpensThePageOnceAndTheCookieAfterwards() throws Exception {
    AccessToken token = AccessToken.random();
    server.close();
    server =
        WebServer.start(
            new WebSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.of(token)),
            Site.EMPTY.with(new Echo()));

    assertThat(token.text()).hasSize(43);
    assertThat(get("/").statusCode()).isEqualTo(401);
    assertThat(get("/api/echo/1?token=wrong").statusCode()).isEqualTo(401);
    assertThat(get("/app.js", "Cookie", cookieName() + "=wrong").statusCode()).isEqualTo(401);
    HttpResponse<byte[]> opened = get("/overview?token=" + token.text());
    assertThat(opened.statusCode()).isEqualTo(303);
    assertThat(opened.headers().firstValue("location")).hasValue("/overview");
    String cookie = opened.headers().firstValue("set-cookie").orElseThrow();
    assertThat(cookie).endsWith("; Path=/; HttpOnly; SameSite=Strict");
    String pair = cookie.substring(0, cookie.indexOf(';'));
    assertThat(get("/api/echo/1", "Cookie", pair).statusCode()).isEqualTo(200);
    assertThat(server.link().toString()).endsWith("/?token=" + token.text());
  }

  private String cookieName() {
    return "sennit-" + server.address().getPort();
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int port = server.address().getPort();

    assertThatThrownBy(() -> WebServer.start(WebSettings.onLoopback(port), Site.EMPTY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the page cannot listen on")
        .hasMessageContaining(":" + port);
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + server.address().getPort() + path);
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(server.address());
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(UTF_8));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
    }
  }
}
