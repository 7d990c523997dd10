/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Observation.Seen;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client sends the same bytes observed and not, but for one traceparent in every request that had
 * none; through TLS, and after an upgrade, it sends the same bytes. Each client has an observation
 * of its own, for one that asks how much is unread is left alone from then on.
 */
@Requires(
    root = true,
    commands = {"openssl", "curl"})
final class RuntimeInjectionTest {
  private static final int KEPT = 900;
  private static final int SECRET = 20;

  /** Besides the kept ones: a large body, long headers, one with a header of its own, the last. */
  private static final int OTHERS = 4;

  private static final Pattern HEADER =
      Pattern.compile("traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-01\r\n");
  private static final Pattern KEY = Pattern.compile("(?i)(sec-websocket-key: )\\S+");
  private static final String TRACED = "GET /traced ";

  @TempDir private static Path folder;
  private static TlsFiles files;
  private static Recorder plain;
  private static Recorder secret;
  private static int total;

  /** Which requests have a header. */
  private enum Promise {
    EVERY,
    /** Until the first FIONREAD. */
    THE_FIRST
  }

  @BeforeAll
  static void prepare() {
    files = new TlsFiles(folder);
    plain = new Recorder(ServerSocketFactory.getDefault());
    secret = new Recorder(files.context().getServerSocketFactory());
  }

  @AfterAll
  static void end() {
    plain.close();
    secret.close();
    System.out.printf("all clients and servers: %d requests, 0 wrong%n", total);
  }

  @Test
  void httpClientOfTheJdk() throws IOException {
    compare("HttpClient", Promise.EVERY, jdk("http1"));
  }

  @Test
  void httpClientOfTheJdkThatOffersHttp2() throws IOException {
    compare("HttpClient, h2c offered", Promise.EVERY, jdk("http2"));
  }

  @Test
  void httpUrlConnectionThatKeepsItsConnection() throws IOException {
    compare("HttpURLConnection", Promise.THE_FIRST, jdk("url"));
  }

  @Test
  void httpUrlConnectionThatDoesNot() throws IOException {
    compare("HttpURLConnection, closing", Promise.THE_FIRST, jdk("url", "-Dhttp.keepAlive=false"));
  }

  @Test
  void nettyWithTheSocketsOfTheJdk() throws IOException {
    compare("Netty NIO", Promise.EVERY, java(NettyClient.class, "nio"));
  }

  @Test
  void nettyWithItsOwnSockets() throws IOException {
    compare("Netty epoll", Promise.EVERY, java(NettyClient.class, "epoll"));
  }

  @Test
  @Requires(root = true, commands = "python3")
  void httpClientOfPython() throws IOException {
    compare("http.client", Promise.EVERY, script("python3", "client.py", "http.client"));
  }

  @Test
  @Requires(root = true, commands = "python3")
  void streamsOfAsyncio() throws IOException {
    compare("asyncio", Promise.EVERY, script("python3", "client.py", "asyncio"));
  }

  @Test
  @Requires(root = true, commands = "node")
  void requestOfNode() throws IOException {
    compare("Node http", Promise.EVERY, script(files.node(), "client.js", "request"));
  }

  @Test
  @Requires(root = true, commands = "node")
  void fetchOfNode() throws IOException {
    compare("Node fetch", Promise.EVERY, script(files.node(), "client.js", "fetch"));
  }

  @Test
  @Requires(root = true, commands = "go")
  void netHttpOfGo() throws IOException {
    String program = folder.resolve("client").toString();
    TlsFiles.run("go build -o \"$0\" \"$1\"", program, files.resource("client.go"));
    compare("Go net/http", Promise.EVERY, with(List.of(program), "go"));
  }

  @Test
  void curl() throws IOException {
    Path body = Files.write(folder.resolve("body"), Series.body());
    Path headers = folder.resolve("headers");
    Files.write(
        headers,
        Series.longHeaders().entrySet().stream()
            .map(h -> h.getKey() + ": " + h.getValue())
            .toList());
    String server = "http://127.0.0.1:" + plain.port();
    compare(
        "curl",
        Promise.EVERY,
        List.of(
            "curl",
            "-s",
            "-H",
            "X-Number: 1",
            server + "/get/[0-" + (KEPT - 1) + "]",
            "--next",
            "-s",
            "--data-binary",
            "@" + body,
            server + "/post",
            "--next",
            "-s",
            "-H",
            "@" + headers,
            server + "/long",
            "--next",
            "-s",
            "-H",
            "tRaCePaReNt:" + Series.TRACEPARENT,
            server + "/traced",
            "--next",
            "-s",
            server + "/last",
            "--next",
            "-sk",
            "https://127.0.0.1:" + secret.port() + "/secret/[0-" + (SECRET - 1) + "]"));
  }

  @Test
  void theServerOfTheJdkIsAskedTheSame() throws Exception {
    List<String> unobserved;
    int port;
    try (ChildProcess server = ChildProcess.java(EchoServer.class, "0")) {
      port = Integer.parseInt(server.expect("port ").strip());
      unobserved = answers(port);
    }
    try (Observation observation = Observation.start(TracerSettings.defaults())) {
      observation
          .run(ChildProcess.javaCommand(List.of(), EchoServer.class, "" + port))
          .expect("port ");
      assertThat(answers(port)).isEqualTo(unobserved);
      observation.await(
          event -> event.kind() == EventKind.IN && event.payload().startsWith("GET /last"));
      assertThat(observation.count(Outcome.CONTEXT_CONTINUED)).isEqualTo(1);
      assertThat(observation.count(Outcome.CONTEXT_NEW)).isEqualTo(unobserved.size() - 1);
      assertThat(observation.events(EventKind.IN).stream().filter(Seen::hasContext))
          .hasSize(unobserved.size());
    }
    System.out.printf("HttpServer: %d requests, 0 wrong%n", unobserved.size());
    total += unobserved.size();
  }

  private static List<String> answers(int port) throws IOException, InterruptedException {
    List<String> answers = new ArrayList<>();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      new Series(port, 0, KEPT, 0)
          .run(
              (String method, URI uri, Map<String, String> headers, byte[] body) -> {
                HttpRequest.Builder request =
                    HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
                headers.forEach(request::header);
                answers.add(
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body());
              });
    }
    return answers;
  }

  private void compare(String runtime, Promise promise, List<String> command) throws IOException {
    List<String> whole = files.command(command);
    finish(ChildProcess.start(whole));
    List<String> expected = plain.take();
    List<String> expectedSecret = secret.take();
    assertThat(expected).hasSizeBetween(KEPT + OTHERS, KEPT + OTHERS + 1);
    assertThat(expectedSecret).hasSize(SECRET);
    List<String> observed;
    Map<Outcome, Long> outcomes;
    try (Observation observation =
        Observation.start(new TracerSettings.Builder().startTraces(true).build())) {
      finish(observation.run(whole));
      observed = plain.take();
      assertThat(secret.take()).isEqualTo(expectedSecret);
      outcomes = outcomes(observation);
    }
    assertThat(observed).as("%s: %s", runtime, outcomes).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertSameButForTheHeader(
          expected.get(i), observed.get(i), promise == Promise.EVERY || i == 0, outcomes);
    }
    System.out.printf(
        "%s: %d requests, 0 wrong, %d of them through TLS; %s%n",
        runtime, observed.size() + SECRET, SECRET, outcomes);
    total += observed.size() + SECRET;
  }

  /** What was done about the requests, and why not. */
  private static Map<Outcome, Long> outcomes(Observation observation) {
    Map<Outcome, Long> outcomes = new EnumMap<>(observation.tracer().counters());
    outcomes.values().removeIf(count -> count == 0);
    outcomes.keySet().retainAll(EnumSet.range(Outcome.INJECTED, Outcome.NOT_HTTP));
    return outcomes;
  }

  private static void assertSameButForTheHeader(
      String expected, String observed, boolean promised, Map<Outcome, Long> outcomes) {
    String line = expected.lines().findFirst().orElse("");
    boolean own = line.startsWith(TRACED);
    long headers = HEADER.matcher(observed).results().count();
    if (own) {
      assertThat(observed).as(line).isEqualTo(expected);
    } else {
      assertThat(headers).as("headers of %s: %s", line, outcomes).isBetween(promised ? 1L : 0L, 1L);
      // Not isEqualTo, which would describe a difference of megabytes.
      String without = withoutKey(HEADER.matcher(observed).replaceFirst(""));
      assertThat(without.equals(withoutKey(expected))).as("same bytes of %s", line).isTrue();
    }
  }

  /** The key of a WebSocket is random. */
  private static String withoutKey(String request) {
    return KEY.matcher(request).replaceFirst("$1");
  }

  private static void finish(ChildProcess client) {
    client.readAll();
    assertThat(client.waitFor()).as(client.errors()).isZero();
  }

  private static List<String> jdk(String kind, String... options) {
    return with(ChildProcess.javaCommand(List.of(options), JdkClient.class), kind);
  }

  private static List<String> java(Class<?> client, String kind) {
    return with(ChildProcess.javaCommand(List.of(), client), kind);
  }

  private static List<String> script(String program, String name, String kind) {
    return with(List.of(program, files.resource(name)), kind);
  }

  private static List<String> with(List<String> program, String kind) {
    return Stream.concat(
            program.stream(),
            Stream.of(kind, "" + plain.port(), "" + secret.port(), "" + KEPT, "" + SECRET))
        .toList();
  }
}
