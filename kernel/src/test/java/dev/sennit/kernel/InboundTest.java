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

  // Each test starts its own, with its own settings, before anything else.
  @SuppressWarnings("NullAway.Init")
  private Observation observation;

  @SuppressWarnings("NullAway.Init")
  private ChildProcess server;

  private int port;

  @BeforeAll
  static void compile() {
    program = CProgram.compile(InboundTest.class, "server.c", folder);
  }

  @AfterEach
  void end() throws IOException {
    observation.close();
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
    serve(4096, TracerSettings.defaults());
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
    serve(4096, TracerSettings.defaults());
    Observation.Seen read = ask("GET / HTTP/1.1", header);

    assertThat(read.hasParent()).isFalse();
    assertThat(read.traceparent()).doesNotContain(TRACE);
    assertThat(observation.count(Outcome.CONTEXT_INVALID)).isEqualTo(1);
  }

  @Test
  void flagsAreKept() throws Exception {
    serve(4096, TracerSettings.defaults());

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
    serve(4096, TracerSettings.defaults());
    Observation.Seen read = ask(method + " /x HTTP/1.1", "Host: localhost");

    assertThat(read.hasContext()).isTrue();
    assertThat(read.way()).isEqualTo(Way.INBOUND);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 50, 100, 128, 200, 5000, 20_000})
  void aHeadMayBeReadInAnyPieces(int atATime) throws Exception {
    serve(atATime, TracerSettings.defaults());
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
    assertThat(observation.events(EventKind.IN).stream().filter(Observation.Seen::hasContext))
        .hasSize(1);
  }

  @Test
  void aHeaderBehindManyOthersIsFound() throws Exception {
    serve(20_000, TracerSettings.defaults());
    StringBuilder headers = new StringBuilder();
    for (int i = 0; headers.length() < 15_000; i++) {
      headers.append("X-Header-").append(i).append(": ").append("z".repeat(i % 200)).append("\r\n");
    }
    Observation.Seen read =
        ask("GET /many HTTP/1.1", headers + "traceparent: 00-" + TRACE + "-" + SPAN + "-01");

    assertThat(read.parentId()).isEqualTo(SPAN);
  }

  @Test
  void newIdsAreNeverTheSame() throws Exception {
    serve(4096, TracerSettings.defaults());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int i = 0; i < 500; i++) {
        socket.getOutputStream().write(request("GET /" + i + " HTTP/1.1", "Host: x"));
        socket.getInputStream().skipNBytes(ANSWER_SIZE);
      }
    }
    observation.await(event -> event.kind() == EventKind.CLOSE);

    assertThat(
            observation.events(EventKind.IN).stream()
                .filter(Observation.Seen::hasContext)
                .map(Observation.Seen::traceparent))
        .hasSize(500)
        .doesNotHaveDuplicates()
        .allMatch(text -> text.matches("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01"));
  }

  @Test
  void aTraceThatIsNotSampledSaysSo() throws Exception {
    serve(4096, new TracerSettings.Builder().sampleRatio(0).build());

    assertThat(ask("GET / HTTP/1.1", "Host: x").traceparent()).endsWith("-00");
  }

  @Test
  void aThreadHasItsContextFromTheReadToTheEndOfTheResponse() throws Exception {
    serve(4096, TracerSettings.defaults());
    TraceInjector injector = observation.tracer().injector();
    int pid = server.pid();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request("GET /wait HTTP/1.1", "Host: x"));
      Observation.Seen read = observation.await(Observation.Seen::hasContext);
      TraceIds ids = injector.getTraceContext(pid, pid).orElseThrow();
      assertThat(ids.traceparent()).isEqualTo(read.traceparent());

      server.send("");
      socket.getInputStream().skipNBytes(ANSWER_SIZE);
      observation.await(event -> event.kind() == EventKind.OUT);
      assertThat(injector.getTraceContext(pid, pid)).isEqualTo(Optional.empty());
    }
  }

  @Test
  void bothEndsOfAConnectionAreKnown() throws Exception {
    serve(4096, TracerSettings.defaults());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Observation.Seen accepted = observation.await(event -> event.kind() == EventKind.ACCEPT);
      assertThat(accepted.localPort()).isEqualTo(port);
      assertThat(accepted.remotePort()).isEqualTo(socket.getLocalPort());
      assertThat(accepted.remoteAddress()).isEqualTo("127.0.0.1");
      assertThat(accepted.way()).isEqualTo(Way.INBOUND);
    }
  }

  private void serve(int atATime, TracerSettings settings) {
    observation = Observation.start(settings);
    server = observation.run(List.of(program.toString(), "" + atATime));
    port = Integer.parseInt(server.expect("port ").strip());
  }

  /** Sends a request and returns what its reader was told. */
  private Observation.Seen ask(String line, String headers) throws Exception {
    int before =
        (int)
            observation.events(EventKind.IN).stream().filter(Observation.Seen::hasContext).count();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        InputStream in = socket.getInputStream()) {
      socket.getOutputStream().write(request(line, headers));
      in.skipNBytes(ANSWER_SIZE);
    }
    observation.await(
        event ->
            observation.events(EventKind.IN).stream().filter(Observation.Seen::hasContext).count()
                > before);
    return observation.events(EventKind.IN).stream()
        .filter(Observation.Seen::hasContext)
        .skip(before)
        .findFirst()
        .orElseThrow();
  }

  private static byte[] request(String line, String headers) {
    return (line + "\r\n" + headers + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
