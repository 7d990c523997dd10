/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.kernel.ring.Way;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that a process reads has its identity when the read returns: its sender's, or a new
 * one.
 */
@Requires(root = true, commands = "gcc")
final class InboundTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final int ANSWER_SIZE = 40;

  @TempDir private static Path folder;
  private static Path program;

  private static Observation observation;
  private @Nullable ChildProcess server;
  private int port;

  @BeforeAll
  static void observe() {
    program = CProgram.compile(InboundTest.class, "server.c", folder);
    observation = Observation.start(TracerSettings.defaults());
  }

  @AfterAll
  static void end() throws IOException {
    observation.close();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traceparent: 00-" + TRACE + "-" + SPAN + "-01",
        "Traceparent:00-" + TRACE + "-" + SPAN + "-01",
        "TRACEPARENT: \t 00-" + TRACE + "-" + SPAN + "-01 \t",
        "traceparent: cc-" + TRACE + "-" + SPAN + "-01",
        "traceparent: cc-" + TRACE + "-" + SPAN + "-01-what-the-future-brings"
      })
  void aTraceGoesOn(String header) throws Exception {
    serve(4096);
    Observation.Seen read = ask("GET / HTTP/1.1", header);

    assertThat(read.hasParent()).isTrue();
    assertThat(read.traceparent()).startsWith("00-" + TRACE + "-").endsWith("-01");
    assertThat(read.parentId()).isEqualTo(SPAN);
    assertThat(read.traceparent().substring(36, 52)).isNotEqualTo(SPAN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traceparent: ff-" + TRACE + "-" + SPAN + "-01",
        "traceparent: 00-" + TRACE + "-" + SPAN + "-01-more",
        "traceparent: 00-" + TRACE + "-" + SPAN + "-0",
        "traceparent: 00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
        "traceparent: 00-00000000000000000000000000000000-" + SPAN + "-01",
        "traceparent: 00-" + TRACE + "-0000000000000000-01",
        "traceparent: 00-" + TRACE + "_" + SPAN + "-01",
        "traceparent: 00-"
            + TRACE
            + "-"
            + SPAN
            + "-01\r\ntraceparent: 00-"
            + TRACE
            + "-"
            + SPAN
            + "-01",
        "traceparent : 00-" + TRACE + "-" + SPAN + "-01",
        "traceparent:"
      })
  void whatIsNotValidIsNotContinued(String header) throws Exception {
    serve(4096);
    long before = observation.count(Outcome.CONTEXT_INVALID);
    Observation.Seen read = ask("GET / HTTP/1.1", header);

    assertThat(read.hasParent()).isFalse();
    assertThat(read.traceparent()).doesNotContain(TRACE);
    assertThat(observation.count(Outcome.CONTEXT_INVALID)).isEqualTo(before + 1);
  }

  @Test
  void flagsAreKept() throws Exception {
    serve(4096);

    assertThat(ask("GET / HTTP/1.1", "traceparent: 00-" + TRACE + "-" + SPAN + "-00").traceparent())
        .endsWith("-00");
    assertThat(ask("GET / HTTP/1.1", "traceparent: 00-" + TRACE + "-" + SPAN + "-03").traceparent())
        .endsWith("-03");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "DELETE",
        "OPTIONS",
        "TRACE",
        "PATCH",
        "QUERY",
        "PROPFIND",
        "BASELINE-CONTROL",
        "M-SEARCH"
      })
  void anyMethodBeginsARequest(String method) throws Exception {
    serve(4096);
    Observation.Seen read = ask(method + " /x HTTP/1.1", "Host: localhost");

    assertThat(read.hasContext()).isTrue();
    assertThat(read.way()).isEqualTo(Way.INBOUND);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 50, 100, 128, 200, 5000, 20_000})
  void aHeadMayBeReadInAnyPieces(int atATime) throws Exception {
    serve(atATime);
    String headers =
        "Host: localhost\r\nX-Long: "
            + "y".repeat(300)
            + "\r\ntraceparent: 00-"
            + TRACE
            + "-"
            + SPAN
            + "-01\r\nAccept: */*";
    Observation.Seen read = ask("GET /pieces HTTP/1.1", headers);

    assertThat(read.parentId()).isEqualTo(SPAN);
    assertThat(
            observation.events(EventKind.IN).stream()
                .filter(event -> event.connection() == read.connection())
                .filter(Observation.Seen::hasContext))
        .hasSize(1);
  }

  @Test
  void aHeaderBehindManyOthersIsFound() throws Exception {
    serve(20_000);
    StringBuilder headers = new StringBuilder();
    for (int i = 0; headers.length() < 15_000; i++) {
      headers.append("X-Header-").append(i).append(": ").append("z".repeat(i % 200)).append("\r\n");
    }
    Observation.Seen read =
        ask("GET /many HTTP/1.1", headers + "traceparent: 00-" + TRACE + "-" + SPAN + "-01");

    assertThat(read.parentId()).isEqualTo(SPAN);
  }

  @Test
  void aRequestAfterABodyThatWasReadForItselfHasItsOwn() throws Exception {
    serve(4096);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request("POST /body HTTP/1.1", "Content-Length: 8"));
      socket.getInputStream().skipNBytes(ANSWER_SIZE);
      socket.getOutputStream().write("the body".getBytes(StandardCharsets.US_ASCII));
      observation.await(event -> event.payload().equals("the body"));
      socket.getOutputStream().write(request("GET /after HTTP/1.1", "Host: x"));
      socket.getInputStream().skipNBytes(ANSWER_SIZE);
    }

    assertThat(observation.await(event -> event.payload().startsWith("GET /after")).hasContext())
        .isTrue();
  }

  @Test
  void newIdsAreNeverTheSame() throws Exception {
    ChildProcess process = serve(4096);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int i = 0; i < 500; i++) {
        socket.getOutputStream().write(request("GET /" + i + " HTTP/1.1", "Host: x"));
        socket.getInputStream().skipNBytes(ANSWER_SIZE);
      }
    }
    int pid = process.pid();
    observation.await(event -> event.kind() == EventKind.CLOSE && event.pid() == pid);

    assertThat(
            observation.events(EventKind.IN).stream()
                .filter(event -> event.pid() == pid && event.hasContext())
                .map(Observation.Seen::traceparent))
        .hasSize(500)
        .doesNotHaveDuplicates()
        .allMatch(text -> text.matches("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01"));
  }

  @Test
  void aTraceThatIsNotSampledSaysSo() throws Exception {
    try (Observation unsampled =
        Observation.start(new TracerSettings.Builder().sampleRatio(0).build())) {
      serve(unsampled, 4096);

      assertThat(ask(unsampled, "GET / HTTP/1.1", "Host: x").traceparent()).endsWith("-00");
    }
  }

  @Test
  void aThreadHasItsContextFromTheReadToTheEndOfTheResponse() throws Exception {
    ChildProcess process = serve(4096);
    TraceInjector injector = observation.tracer().injector();
    int pid = process.pid();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request("GET /wait HTTP/1.1", "Host: x"));
      Observation.Seen read = observation.await(event -> event.hasContext() && event.pid() == pid);
      TraceIds ids = injector.getTraceContext(pid, pid).orElseThrow();
      assertThat(ids.traceparent()).isEqualTo(read.traceparent());

      process.send("");
      socket.getInputStream().skipNBytes(ANSWER_SIZE);
      observation.await(event -> event.kind() == EventKind.OUT && event.pid() == pid);
      assertThat(injector.getTraceContext(pid, pid)).isEqualTo(Optional.empty());
    }
  }

  @Test
  void bothEndsOfAConnectionAreKnown() throws Exception {
    ChildProcess process = serve(4096);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Observation.Seen accepted =
          observation.await(
              event -> event.kind() == EventKind.ACCEPT && event.pid() == process.pid());
      assertThat(accepted.localPort()).isEqualTo(port);
      assertThat(accepted.remotePort()).isEqualTo(socket.getLocalPort());
      assertThat(accepted.remoteAddress()).isEqualTo("127.0.0.1");
      assertThat(accepted.way()).isEqualTo(Way.INBOUND);
    }
  }

  private ChildProcess serve(int atATime) {
    return serve(observation, atATime);
  }

  private ChildProcess serve(Observation where, int atATime) {
    ChildProcess process = where.run(List.of(program.toString(), "" + atATime));
    port = Integer.parseInt(process.expect("port ").strip());
    server = process;
    return process;
  }

  private Observation.Seen ask(String line, String headers) throws Exception {
    return ask(observation, line, headers);
  }

  /** Sends a request and returns what its reader was told. */
  private Observation.Seen ask(Observation where, String line, String headers) throws Exception {
    int from;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      from = socket.getLocalPort();
      socket.getOutputStream().write(request(line, headers));
      in.skipNBytes(ANSWER_SIZE);
    }
    // Ports are used again, by connections of other tests.
    return where.await(
        event -> event.hasContext() && event.localPort() == port && event.remotePort() == from);
  }

  private static byte[] request(String line, String headers) {
    return (line + "\r\n" + headers + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
