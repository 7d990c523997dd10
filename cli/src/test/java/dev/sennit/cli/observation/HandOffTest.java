/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The three ways in which a Java service asks another while it serves a request. Every request has
 * a trace and a number of its own, 20 of them at a time.
 */
@Requires(root = true)
final class HandOffTest {
  private static final int REQUESTS = 400;
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  private HttpServer backend;
  private ExecutorService threads;

  private record Tally(int right, int wrong, int none) {}

  @BeforeEach
  void listen() throws IOException {
    threads = Executors.newVirtualThreadPerTaskExecutor();
    backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    backend.setExecutor(threads);
    backend.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    backend.start();
  }

  @AfterEach
  void end() {
    backend.stop(0);
    threads.shutdownNow();
  }

  @Test
  void onTheSameThreadEveryCallIsRight() throws Exception {
    assertThat(tally("same", "-", List.of())).isEqualTo(new Tally(REQUESTS, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "virtual"})
  void onAnotherThreadThatSaysWhatItDoesEveryCallIsRight(String kind) throws Exception {
    Tally tally = tally(kind, "put", List.of("-javaagent:" + AGENT + "=ctxstorage=otel"));

    assertThat(tally).isEqualTo(new Tally(REQUESTS, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "virtual"})
  void onAnotherThreadThatSaysNothingNoCallIsWrong(String kind) throws Exception {
    Tally tally = tally(kind, "-", List.of());

    System.out.printf(
        "%s without context: %d right, %d wrong, %d in no trace%n",
        kind, tally.right(), tally.wrong(), tally.none());
    assertThat(tally.wrong()).isZero();
  }

  private Tally tally(String kind, String puts, List<String> options) throws Exception {
    TracerSettings settings = new TracerSettings.Builder().logs(false).build();
    try (ObservedPrograms programs = ObservedPrograms.start(settings)) {
      int port =
          programs.serve(
              ChildProcess.javaCommand(
                  options, HandOffService.class, "" + backend.getAddress().getPort(), kind, puts));
      FollowedRequests.send(port);
      List<Span> calls =
          programs.await(REQUESTS, span -> span.kind() == SpanKind.CLIENT).stream().toList();
      assertThat(calls).hasSize(REQUESTS);
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
      return judge(calls);
    }
  }

  private static Tally judge(List<Span> calls) {
    int right = 0;
    int wrong = 0;
    int none = 0;
    for (Span call : calls) {
      String url =
          call.attributes().get("url.full") instanceof AttributeValue.Text(String text) ? text : "";
      int number = Integer.parseInt(url.substring(url.lastIndexOf('/') + 1));
      if (call.ids().traceHigh() != 0 || call.ids().traceLow() >> 33 != 0) {
        none++;
      } else if (call.ids().traceLow() == 0x1_0000_0000L + number) {
        right++;
      } else {
        wrong++;
      }
    }
    return new Tally(right, wrong, none);
  }
}
