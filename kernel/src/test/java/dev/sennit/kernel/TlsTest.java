/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Observation.Seen;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.kernel.ring.Way;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What programs say to one another through TLS is seen on both sides, with the ends of the
 * connection that carries it, and a request has its context when it has been read.
 */
@Requires(
    root = true,
    commands = {"openssl", "python3", "curl"})
final class TlsTest {
  private static final int CONNECTIONS = 10;
  private static final int EACH = 20;
  private static final Pattern REQUEST = Pattern.compile("^GET (/\\S+) HTTP/1\\.1\r\n");
  private static final Pattern FILES = Pattern.compile("TLS is seen in (\\d+) file");
  private static final Pattern ANSWER = Pattern.compile("answer to (/[^.]+)\\.");

  @TempDir private static Path folder;
  private static TlsFiles files;
  private static Observation observation;

  @BeforeAll
  static void observe() {
    files = new TlsFiles(folder);
    observation = Observation.start(TracerSettings.defaults());
  }

  @AfterAll
  static void end() throws IOException {
    observation.close();
  }

  @Test
  void curlAndAThreadedServer() throws Exception {
    int port = threadedServer(0);
    for (int i = 0; i < CONNECTIONS; i++) {
      int first = i * EACH;
      finish(
          "curl",
          "-ks",
          "https://127.0.0.1:" + port + "/curl/[" + first + "-" + (first + EACH - 1) + "]");
    }

    assertEveryExchangeIsSeen("curl", port);
  }

  @Test
  @Requires(root = true, commands = "node")
  void anEventLoopInPythonAndAServerInNode() throws Exception {
    int port =
        server(files.node(), files.resource("https.js"), "serve", files.certificate(), files.key());
    finish("python3", files.resource("https_asyncio.py"), "ask", "" + port, "warm", "1", "1");
    awaitFiles(2);
    finish(
        "python3",
        files.resource("https_asyncio.py"),
        "ask",
        "" + port,
        "mixed",
        "" + CONNECTIONS,
        "" + EACH);

    assertEveryExchangeIsSeen("mixed", port);
  }

  @Test
  @Requires(root = true, commands = "node")
  void aClientInNodeAndAThreadedServer() throws Exception {
    int port = threadedServer(0);
    String node = files.node();
    finish(node, files.resource("https.js"), "ask", "" + port, "warm", "1", "1");
    awaitFiles(2);
    finish(node, files.resource("https.js"), "ask", "" + port, "node", "" + CONNECTIONS, "" + EACH);

    assertEveryExchangeIsSeen("node", port);
  }

  @Test
  void anEventLoopInPythonAtBothEnds() throws Exception {
    int port =
        server(
            "python3",
            files.resource("https_asyncio.py"),
            "serve",
            files.certificate(),
            files.key());
    finish(
        "python3",
        files.resource("https_asyncio.py"),
        "ask",
        "" + port,
        "loop",
        "" + CONNECTIONS,
        "" + EACH);

    assertEveryExchangeIsSeen("loop", port);
  }

  @Test
  void aRequestThatCameThroughTlsIsTheParentOfWhatItsThreadSends() throws Exception {
    int requests = 50;
    long parents = observation.count(Outcome.PARENT_THREAD);
    long continued = observation.count(Outcome.CONTEXT_CONTINUED);
    try (Backend backend = new Backend()) {
      int port = threadedServer(backend.port());
      List<String> command = new ArrayList<>(List.of("curl", "-ks"));
      for (int i = 1; i <= requests; i++) {
        command.addAll(i == 1 ? List.of() : List.of("--next", "-ks"));
        command.addAll(
            List.of(
                "-H",
                "traceparent: 00-" + traceId(i) + "-00000000000000ff-01",
                "https://127.0.0.1:" + port + "/" + i));
      }
      finish(command.toArray(String[]::new));

      for (int i = 1; i <= requests; i++) {
        assertThat(backend.headers().get("/" + i))
            .singleElement()
            .asString()
            .startsWith("00-" + traceId(i));
      }
    }
    assertThat(observation.count(Outcome.PARENT_THREAD)).isEqualTo(parents + requests);
    assertThat(observation.count(Outcome.CONTEXT_CONTINUED)).isEqualTo(continued + requests);
  }

  @Test
  void aSessionThatIsOlderThanTheTracerIsLearnt() throws Exception {
    int port = threadedServer(0);
    observation.tracer().deactivate();
    ChildProcess client =
        observation.run(
            files.command(List.of("python3", files.resource("https_by_line.py"), "" + port)));
    ask(client, "/unseen/0");
    observation.tracer().activate();
    awaitFiles(1);
    // Its server waits inside of a function that nobody saw it begin.
    ask(client, "/old/0");
    ask(client, "/old/1");
    observation.await(event -> event.payload().contains("answer to /old/1"));

    assertThat(requests(EventKind.TLS_OUT))
        .containsKeys("/old/0", "/old/1")
        .doesNotContainKey("/unseen/0");
    assertThat(requests(EventKind.TLS_IN)).containsKey("/old/1").doesNotContainKey("/unseen/0");
    assertThat(at(requests(EventKind.TLS_OUT), "/old/1").remotePort()).isEqualTo(port);
    assertThat(at(requests(EventKind.TLS_IN), "/old/1").localPort()).isEqualTo(port);
    Seen read = at(requests(EventKind.TLS_IN), "/old/1");
    assertThat(read.hasContext()).isTrue();
    awaitEnd(read);
  }

  /** The thread that has answered a request is not busy with it any more. */
  private static void awaitEnd(Seen request) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (observation
        .tracer()
        .injector()
        .getTraceContext(request.pid(), request.tid())
        .isPresent()) {
      assertThat(System.nanoTime()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static void ask(ChildProcess client, String path) {
    client.send(path);
    assertThat(client.readLine()).isEqualTo("answer to " + path + ".");
  }

  private static void assertEveryExchangeIsSeen(String name, int port) {
    Map<String, Seen> sent = requests(EventKind.TLS_OUT);
    Map<String, Seen> received = requests(EventKind.TLS_IN);
    Map<String, Seen> answered = matches(EventKind.TLS_OUT, ANSWER);
    Map<String, Seen> understood = matches(EventKind.TLS_IN, ANSWER);
    Stream.of(sent, received, answered, understood)
        .forEach(byPath -> byPath.keySet().removeIf(path -> !path.startsWith("/" + name + "/")));
    System.out.printf(
        "%s: %d requests sent, %d received, %d without socket, %d contexts%n",
        name,
        sent.size(),
        received.size(),
        observation.count(Outcome.TLS_WITHOUT_SOCKET),
        received.values().stream().filter(Seen::hasContext).count());
    for (int i = 0; i < CONNECTIONS * EACH; i++) {
      String path = "/" + name + "/" + i;
      Seen client = at(sent, path);
      Seen server = at(received, path);
      assertThat(client.way()).isEqualTo(Way.OUTBOUND);
      assertThat(client.remotePort()).isEqualTo(port);
      assertThat(client.remoteAddress()).isEqualTo("127.0.0.1");
      assertThat(client.hasContext()).isFalse();
      assertThat(server.way()).isEqualTo(Way.INBOUND);
      assertThat(server.localPort()).isEqualTo(port);
      assertThat(server.remotePort()).as(path).isEqualTo(client.localPort());
      assertThat(server.hasContext()).isTrue();
      assertThat(at(answered, path).connection()).isEqualTo(server.connection());
      assertThat(at(understood, path).connection()).isEqualTo(client.connection());
    }
    assertThat(
            observation.events(EventKind.TLS_IN).stream()
                .filter(Seen::hasContext)
                .map(Seen::traceparent))
        .doesNotHaveDuplicates();
  }

  private static Seen at(Map<String, Seen> byPath, String path) {
    return Objects.requireNonNull(byPath.get(path), () -> path + " was not seen on every side");
  }

  private static Map<String, Seen> requests(EventKind kind) {
    return matches(kind, REQUEST);
  }

  /** By path; the first requests of a client that warm up have the same one. */
  private static Map<String, Seen> matches(EventKind kind, Pattern pattern) {
    Map<String, Seen> byPath = new HashMap<>();
    for (Seen event : observation.events(kind)) {
      Matcher matcher = pattern.matcher(event.payload());
      if (matcher.find() && !matcher.group(1).startsWith("/warm")) {
        assertThat(byPath.put(matcher.group(1), event)).as(matcher.group(1)).isNull();
      }
    }
    return byPath;
  }

  /** Python's, with a thread for each connection; it asks the server at a port unless that is 0. */
  private static int threadedServer(int backend) throws InterruptedException {
    return server(
        "python3",
        files.resource("threaded_server.py"),
        "" + backend,
        files.certificate(),
        files.key());
  }

  private static int server(String... command) throws InterruptedException {
    int port =
        Integer.parseInt(observation.run(files.command(List.of(command))).expect("port ").strip());
    awaitFiles(1);
    return port;
  }

  /** Runs a client to its end, and waits until that is known. */
  private static void finish(String... command) throws InterruptedException {
    ChildProcess client = observation.run(files.command(List.of(command)));
    client.readAll();
    assertThat(client.waitFor()).as(client.errors()).isZero();
    if (observation.tracer().isActive()) {
      observation.await(event -> event.kind() == EventKind.EXIT && event.pid() == client.pid());
    }
  }

  private static void awaitFiles(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (files() < count) {
      assertThat(System.nanoTime()).as(observation.tracer().describe()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static int files() {
    Matcher matcher = FILES.matcher(observation.tracer().describe());
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static String traceId(int number) {
    return String.format("%032x", 0x1_0000_0000L + number);
  }
}
