/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that a server sends while it serves another belongs to that one, or to none: never to
 * somebody else's. Every request here has a trace of its own, and the server behind says what came.
 */
@Requires(root = true, commands = "python3")
final class ParentTest {
  private static final int REQUESTS = 400;

  @TempDir private Path folder;
  private Observation observation;
  private Backend backend;

  /** How requests that arrived behind a gateway were linked. */
  private record Tally(int right, int wrong, int none, int doubled) {}

  @BeforeEach
  void observe() {
    backend = new Backend();
    observation = Observation.start(TracerSettings.defaults());
  }

  @AfterEach
  void end() throws IOException {
    observation.close();
    backend.close();
  }

  @Test
  void aThreadPerConnectionInPythonIsAlwaysRight() throws Exception {
    int port = gateway(List.of("python3", resource("threaded_server.py"), "" + backend.port()));

    assertThat(tally(port, 8)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(observation.count(Outcome.PARENT_THREAD)).isEqualTo(REQUESTS);
  }

  @Test
  void aThreadPerRequestInJavaIsAlwaysRight() throws Exception {
    int port = javaGateway("thread");

    assertThat(tally(port, 8)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep"})
  void aPoolThreadThatPublishesItsSpanIsAlwaysRight(String mode) throws Exception {
    int port = javaGateway(mode);
    observation.await(event -> event.kind() == EventKind.CONTEXT);

    assertThat(tally(port, 8)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(observation.count(Outcome.PARENT_RECORD)).isEqualTo(REQUESTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep"})
  void whatAProcessPublishedWhileNobodyLookedIsKnownAfterwards(String mode) throws Exception {
    observation.tracer().deactivate();
    int port = javaGateway(mode);
    observation.tracer().activate();

    assertThat(tally(port, 8)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(observation.count(Outcome.PARENT_RECORD)).isEqualTo(REQUESTS);
  }

  /** The agent keeps the record of the carrier at what the virtual thread on it is doing. */
  @Test
  void aVirtualThreadThatPublishesItsSpanIsAlwaysRight() throws Exception {
    Path agent = Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath();
    int port =
        gateway(
            ChildProcess.javaCommand(
                List.of(
                    "-Dhttp.keepAlive=false",
                    "-Djdk.virtualThreadScheduler.parallelism=2",
                    "-javaagent:" + agent + "=ctxstorage=otel"),
                JavaGateway.class,
                "" + backend.port(),
                "virtual"));
    observation.await(event -> event.kind() == EventKind.CONTEXT);

    assertThat(tally(port, 8)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(observation.count(Outcome.PARENT_RECORD)).isEqualTo(REQUESTS);
  }

  @Test
  @Requires(root = true, commands = "node")
  void anEventLoopWithOneRequestAtATimeIsAlwaysRight() throws Exception {
    int port = gateway(List.of("node", resource("gateway.js"), "" + backend.port()));

    assertThat(tally(port, 1)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(count("/second")).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
  }

  @Test
  @Requires(root = true, commands = "node")
  void anEventLoopWithManyRequestsIsRightOrSilent() throws Exception {
    int port = gateway(List.of("node", resource("gateway.js"), "" + backend.port()));

    Tally first = tally(port, 20);
    Tally second = count("/second");

    assertThat(first.wrong() + second.wrong()).isZero();
    assertThat(first.doubled() + second.doubled()).isZero();
  }

  /** A process that serves one request does all for that one. */
  @Test
  void anotherThreadIsRightWhereThereIsOneRequestAtATime() throws Exception {
    int port = javaGateway("pool");

    assertThat(tally(port, 1)).isEqualTo(new Tally(REQUESTS, 0, 0, 0));
    assertThat(observation.count(Outcome.PARENT_ONLY)).isEqualTo(REQUESTS);
  }

  @Test
  void anotherThreadIsRightOrSilentWhereThereAreMany() throws Exception {
    Tally tally = tally(javaGateway("pool"), 8);

    assertThat(tally.wrong()).isZero();
    assertThat(tally.doubled()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  @Requires(root = true, commands = "go")
  void goroutinesAreRightWithOneRequestAtATimeAndNeverWrong(int concurrency) throws Exception {
    String program = folder.resolve("gateway").toString();
    ChildProcess compiler =
        ChildProcess.start(List.of("go", "build", "-o", program, resource("gateway.go")));
    assertThat(compiler.waitFor()).as(compiler.errors()).isZero();
    int port = gateway(List.of(program, "" + backend.port()));

    Tally tally = tally(port, concurrency);
    assertThat(tally.wrong()).isZero();
    assertThat(tally.doubled()).isZero();
    if (concurrency == 1) {
      assertThat(tally.right()).isEqualTo(REQUESTS);
    }
  }

  /** Of bytes that are no request of HTTP the event itself says whose they are. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "unix"})
  void whatIsAskedInAnotherProtocolKnowsItsRequest(String family) throws Exception {
    int port = gateway(List.of("python3", resource("asker.py"), family, "-"));
    for (int i = 1; i <= 20; i++) {
      send(port, "/" + i, "x-number", "" + i);
    }

    observation.await(event -> event.payload().startsWith("ask /20 1"));
    List<Observation.Seen> asked = asked("ask /");
    assertThat(asked).hasSize(40);
    for (Observation.Seen each : asked) {
      assertThat(each.parentSource()).isIn(Outcome.PARENT_ONLY, Outcome.PARENT_CONNECT);
      assertThat(observation.events(EventKind.IN))
          .filteredOn(Observation.Seen::hasContext)
          .filteredOn(
              read -> read.payload().startsWith("GET " + each.payload().split(" ", -1)[1] + " "))
          .singleElement()
          .satisfies(
              read -> assertThat(read.traceparent().substring(36, 52)).isEqualTo(each.parentId()));
    }
  }

  @Test
  void aProcessThatHasOtherWorkIsNotGuessedAt() throws Exception {
    int port = gateway(List.of("python3", resource("asker.py"), "tcp", "alone"));
    observation.await(event -> event.payload().startsWith("ask alone"));
    send(port, "/first", "x-number", "0");
    int before = asked("ask alone").size();
    observation.await(event -> asked("ask alone").size() > before + 2);
    for (int i = 1; i <= 20; i++) {
      send(port, "/" + i, "x-number", "" + i);
    }

    observation.await(event -> event.payload().startsWith("ask /20 1"));
    assertThat(asked("ask /"))
        .filteredOn(event -> !event.payload().startsWith("ask /first"))
        .noneMatch(Observation.Seen::hasContext);
  }

  private List<Observation.Seen> asked(String begin) {
    return observation.events(EventKind.OUT).stream()
        .filter(event -> event.payload().startsWith(begin))
        .toList();
  }

  @Test
  void theSpanOfARequestIsTheParentOfWhatItSends() throws Exception {
    int port = gateway(List.of("python3", resource("threaded_server.py"), "" + backend.port()));
    tally(port, 1);

    for (Observation.Seen sent : observation.events(EventKind.REQUEST)) {
      assertThat(observation.events(EventKind.IN))
          .filteredOn(Observation.Seen::hasContext)
          .anySatisfy(
              read -> {
                assertThat(read.traceparent().substring(36, 52)).isEqualTo(sent.parentId());
                assertThat(read.traceparent().substring(3, 35))
                    .isEqualTo(sent.traceparent().substring(3, 35));
              });
    }
    assertThat(observation.events(EventKind.REQUEST)).hasSize(REQUESTS);
  }

  @Test
  void theStateOfATraceGoesOnWithIt() throws Exception {
    int port = gateway(List.of("python3", resource("threaded_server.py"), "" + backend.port()));
    for (int length : new int[] {10, 100, 126, 127, 200}) {
      String state = "vendor=" + "s".repeat(length);
      send(port, "/" + length, "tracestate", state, "baggage", "user=1");

      assertThat(backend.values("/" + length, "traceparent")).hasSize(1);
      assertThat(backend.values("/" + length, "tracestate")).containsExactly(state);
      assertThat(backend.values("/" + length, "baggage")).isEmpty();
    }
    send(port, "/none", "x-other", "y");
    assertThat(backend.values("/none", "tracestate")).isEmpty();
    send(port, "/long", "tracestate", "vendor=" + "s".repeat(300));
    assertThat(backend.values("/long", "traceparent")).hasSize(1);
    assertThat(backend.values("/long", "tracestate")).isEmpty();
  }

  @Test
  void baggageGoesOnWhereItIsWanted() throws Exception {
    observation.close();
    observation = Observation.start(new TracerSettings.Builder().baggage(true).build());
    int port = gateway(List.of("python3", resource("threaded_server.py"), "" + backend.port()));
    send(port, "/both", "tracestate", "a=b", "baggage", "user=1,tier=gold");

    assertThat(backend.values("/both", "tracestate")).containsExactly("a=b");
    assertThat(backend.values("/both", "baggage")).containsExactly("user=1,tier=gold");
    assertThat(backend.values("/both", "traceparent")).hasSize(1);
  }

  /** Nobody saw the answer, and so nobody knows what the thread is busy with. */
  @Test
  void whatWasOpenBeforeAGapIsNobodysParentAfterIt() throws Exception {
    ChildProcess server =
        observation.run(List.of("python3", resource("paused_server.py"), "" + backend.port()));
    int port = Integer.parseInt(server.expect("port ").strip());
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      ask(client, traceId(1));
      server.expect("read");
      tell(server, "ask /before");
      observation.tracer().deactivate();
      tell(server, "answer");
      observation.tracer().activate();
      tell(server, "ask /after");
      ask(client, traceId(2));
      tell(server, "read");
      tell(server, "ask /next");
    }

    assertThat(backend.values("/before", "traceparent").getFirst()).startsWith("00-" + traceId(1));
    assertThat(backend.headers()).containsEntry("/after", List.of());
    assertThat(backend.values("/next", "traceparent").getFirst()).startsWith("00-" + traceId(2));
  }

  private static void ask(Socket server, String traceId) throws IOException {
    String request =
        "GET / HTTP/1.1\r\ntraceparent: 00-" + traceId + "-00000000000000ff-01\r\n\r\n";
    server.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static void tell(ChildProcess process, String line) {
    process.send(line);
    process.expect("done");
  }

  private static void send(int port, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("traceparent", "00-" + traceId(1) + "-00000000000000ff-01")
            .headers(headers)
            .build();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    }
  }

  private int javaGateway(String kind) throws Exception {
    return gateway(
        ChildProcess.javaCommand(
            List.of("-Dhttp.keepAlive=false"), JavaGateway.class, "" + backend.port(), kind));
  }

  private int gateway(List<String> command) {
    return Integer.parseInt(observation.run(command).expect("port ").strip());
  }

  private String resource(String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in = ParentTest.class.getResourceAsStream(name)) {
      Files.write(file, in.readAllBytes());
    }
    return file.toString();
  }

  /** Sends requests, each in a trace of its own, so many at a time. */
  private Tally tally(int port, int concurrency) throws InterruptedException, ExecutionException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (ExecutorService senders = Executors.newFixedThreadPool(concurrency)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 1; i <= REQUESTS; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + i))
                .header("traceparent", "00-" + traceId(i) + "-00000000000000ff-01")
                .build();
        answers.add(
            senders.submit(
                () -> client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
    return count("");
  }

  private Tally count(String suffix) {
    int right = 0;
    int wrong = 0;
    int none = 0;
    int doubled = 0;
    for (int i = 1; i <= REQUESTS; i++) {
      assertThat(backend.headers()).containsKey("/" + i + suffix);
      List<String> headers = backend.headers().getOrDefault("/" + i + suffix, List.of());
      if (headers.isEmpty()) {
        none++;
      } else if (headers.size() > 1) {
        doubled++;
      } else if (headers.getFirst().startsWith("00-" + traceId(i))) {
        right++;
      } else {
        wrong++;
      }
    }
    return new Tally(right, wrong, none, doubled);
  }

  private static String traceId(int number) {
    return String.format("%032x", 0x1_0000_0000L + number);
  }
}
