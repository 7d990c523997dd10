/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.record.LogRecord;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Requests to a service that asks another one for each of them, and what became of them. Every
 * request has a trace and a number of its own, 20 of them at a time; what it asks and what it logs
 * has the number in it.
 */
final class FollowedRequests implements AutoCloseable {
  static final int COUNT = 400;
  static final long FIRST_TRACE = 0x1_0000_0000L;
  static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  private static final String LINE = "line ";

  private final WebServer backend;

  /** How much of something was in the trace of its request, in none, or in another's. */
  record Tally(int right, int none, int wrong) {
    static Tally of(Map<Integer, List<Long>> tracesByRequest) {
      int right = 0;
      int none = 0;
      int wrong = 0;
      for (Map.Entry<Integer, List<Long>> entry : tracesByRequest.entrySet()) {
        for (long trace : entry.getValue()) {
          if (trace == FIRST_TRACE + entry.getKey()) {
            right++;
          } else if (trace > FIRST_TRACE && trace <= FIRST_TRACE + COUNT) {
            wrong++;
          } else {
            none++;
          }
        }
      }
      return new Tally(right, none, wrong);
    }

    @Override
    public String toString() {
      int all = Math.max(1, right + none + wrong);
      return String.format(
          "%5.1f %5.1f %5.1f", 100.0 * right / all, 100.0 * none / all, 100.0 * wrong / all);
    }
  }

  /** Begins to be the service that is asked, which speaks HTTP/1 and HTTP/2. */
  FollowedRequests() {
    backend =
        WebServer.builder()
            .address(InetAddress.getLoopbackAddress())
            .port(0)
            .shutdownHook(false)
            .routing(routing -> routing.any((_, response) -> response.status(Status.OK_200).send()))
            .build()
            .start();
  }

  /** Where it is to be asked. */
  String backend() {
    return "" + backend.port();
  }

  /** Whether a service has written this about a request. */
  static boolean isLine(LogRecord record) {
    return body(record).startsWith(LINE);
  }

  /** Whose the lines were. */
  static Tally lines(List<LogRecord> lines) {
    return Tally.of(
        lines.stream()
            .collect(
                Collectors.groupingBy(
                    record -> Integer.parseInt(body(record).substring(LINE.length()).strip()),
                    Collectors.mapping(
                        record -> record.span() == null ? 0 : record.span().traceLow(),
                        Collectors.toList()))));
  }

  private static String body(LogRecord record) {
    return new String(record.body(), StandardCharsets.UTF_8);
  }

  /** Whose the calls were. */
  static Tally calls(List<Span> calls) {
    return Tally.of(tracesByRequest(calls));
  }

  private static Map<Integer, List<Long>> tracesByRequest(List<Span> calls) {
    return calls.stream()
        .collect(
            Collectors.groupingBy(
                FollowedRequests::requestOf,
                Collectors.mapping(call -> call.ids().traceLow(), Collectors.toList())));
  }

  /** The path of a call is that of its request, with the number of the call behind it. */
  private static int requestOf(Span span) {
    String path = text(span, span.kind() == SpanKind.CLIENT ? "url.full" : "url.path");
    String[] parts = path.replaceFirst("^http://[^/]*", "").split("/", -1);
    return Integer.parseInt(parts[1]);
  }

  private static String text(Span span, String key) {
    return span.attributes().get(key) instanceof AttributeValue.Text(String text) ? text : "";
  }

  static void assertThatCallsHaveTheirParents(List<Span> calls, List<Span> served) {
    Map<Integer, Span> servers =
        served.stream().collect(Collectors.toMap(FollowedRequests::requestOf, Function.identity()));
    for (Span call : calls) {
      assertThat(call.ids().parentId())
          .isEqualTo(servers.getOrDefault(requestOf(call), call).ids().spanId());
    }
  }

  /** Sends them all, and waits for the answers. */
  static void send(int port) throws Exception {
    send(port, 20);
  }

  /** The same, so many at a time. */
  static void send(int port, int atATime) throws Exception {
    send(
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
        "http://127.0.0.1:" + port + "/",
        atATime);
  }

  /** The same by a client of the test's own. */
  static void send(HttpClient client, String address) throws Exception {
    send(client, address, 20);
  }

  private static void send(HttpClient client, String address, int atATime) throws Exception {
    try (ExecutorService senders = Executors.newFixedThreadPool(atATime)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 1; i <= COUNT; i++) {
        String trace = String.format("%032x", FIRST_TRACE + i);
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(address + i))
                .header("traceparent", "00-" + trace + "-00000000000000ff-01")
                .build();
        answers.add(
            senders.submit(
                () -> client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
  }

  /** Sends them two at a time on a connection, the second without waiting for an answer. */
  static void sendInPairs(int port) throws Exception {
    try (ExecutorService senders = Executors.newFixedThreadPool(20)) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 1; i <= COUNT; i += 2) {
        String pair = text(i) + text(i + 1);
        answers.add(senders.submit(() -> answersTo(pair, port)));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).matches("(?s)HTTP/1.1 200 .*HTTP/1.1 200 .*");
      }
    }
  }

  private static String text(int request) {
    return "GET /%d HTTP/1.1\r\nHost: here\r\ntraceparent: 00-%032x-00000000000000ff-01\r\n\r\n"
        .formatted(request, FIRST_TRACE + request);
  }

  private static String answersTo(String pair, int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(pair.getBytes(StandardCharsets.US_ASCII));
      StringBuilder answers = new StringBuilder();
      int next = socket.getInputStream().read();
      while (next >= 0) {
        answers.append((char) next);
        // Heads end so, and bodies do not.
        boolean both = answers.indexOf("\r\n\r\n", answers.indexOf("\r\n\r\n") + 4) >= 0;
        next = both ? -1 : socket.getInputStream().read();
      }
      return answers.toString();
    }
  }

  @Override
  public void close() {
    backend.stop();
  }
}
