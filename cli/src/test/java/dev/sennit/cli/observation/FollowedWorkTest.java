/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.agent.SampledProfile;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Services without an SDK that hand their requests from thread to thread, on the real kernel. Every
 * request has a trace and a number of its own, 20 of them at a time; what it asks and what it logs
 * has the number in it.
 */
@Requires(root = true)
final class FollowedWorkTest {
  private static final int REQUESTS = 400;
  private static final long FIRST_TRACE = 0x1_0000_0000L;
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();
  private static final List<String> ROWS = new ArrayList<>();

  @TempDir private Path folder;

  private HttpServer backend;
  private ExecutorService threads;

  /** How much of something was in the trace of its request, in none, or in another's. */
  private record Tally(int right, int none, int wrong) {
    static Tally of(Map<Integer, List<Long>> tracesByRequest) {
      int right = 0;
      int none = 0;
      int wrong = 0;
      for (Map.Entry<Integer, List<Long>> entry : tracesByRequest.entrySet()) {
        for (long trace : entry.getValue()) {
          if (trace == FIRST_TRACE + entry.getKey()) {
            right++;
          } else if (trace > FIRST_TRACE && trace <= FIRST_TRACE + REQUESTS) {
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

  /** With what others publish of theirs for the same. */
  @AfterAll
  static void print() {
    System.out.println("of 400 requests, 20 at a time, in percent: right, orphaned, wrong");
    System.out.println("hand-off     calls               log lines           samples");
    ROWS.forEach(System.out::println);
    System.out.println("OBI #2259 executor  4.8  79.4  15.8");
    System.out.println("OBI #2242 virtual  32 to 37, the rest broken; #2284 log lines 0, 19 wrong");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "same",
        "fixed",
        "cached",
        "scheduled",
        "forkjoin",
        "future",
        "virtual",
        "virtual-pool",
        "structured",
        "send",
        "sendAsync",
      })
  void everyCallAndLineIsInTheTraceOfItsRequest(String way) throws Exception {
    Map<Integer, List<Long>> lines = new ConcurrentHashMap<>();
    TracerSettings settings = new TracerSettings.Builder().logs(true).build();
    try (ObservedPrograms programs = ObservedPrograms.start(settings)) {
      programs.observation().linesTo(event -> note(event, lines));
      Path recording = folder.resolve(way + ".jfr");
      ChildProcess service = programs.run(command(programs, way, recording));
      send(Integer.parseInt(service.expect("port ").strip()));
      List<Span> calls = programs.await(2 * REQUESTS, span -> span.kind() == SpanKind.CLIENT);
      List<Span> served = programs.await(REQUESTS, span -> span.kind() == SpanKind.SERVER);

      Tally spans = Tally.of(tracesByRequest(calls));
      Tally logged = Tally.of(lines);
      service.send("enough");
      assertThat(service.waitFor()).isZero();
      Tally sampled = sampled(recording);
      ROWS.add(String.format("%-12s %s   %s   %s", way, spans, logged, sampled));
      System.out.println(ROWS.getLast());
      assertThat(spans).as("calls").isEqualTo(new Tally(2 * REQUESTS, 0, 0));
      assertThat(logged).as("lines").isEqualTo(new Tally(REQUESTS, 0, 0));
      assertThat(sampled.right()).as("samples").isGreaterThan(REQUESTS / 2);
      assertThat(sampled.none() + sampled.wrong()).as("samples: " + sampled).isZero();
      assertThatCallsHaveTheirParents(calls, served);
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
    }
  }

  private List<String> command(ObservedPrograms programs, String way, Path recording) {
    Path inbound = programs.observation().inboundSocket().orElseThrow();
    return ChildProcess.javaCommand(
        List.of(
            "-javaagent:%s=start,cpu=1ms,jfr,ctxstorage=otel,file=%s,inbound=%s"
                .formatted(AGENT, recording, inbound),
            // Or inlining alone would put samples into the wrong method.
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,*FollowedService.in*",
            "--enable-preview"),
        FollowedService.class,
        "" + backend.getAddress().getPort(),
        way);
  }

  /** A sample is right in the trace of a request that works in its method. */
  private static Tally sampled(Path recording) throws IOException {
    int right = 0;
    int none = 0;
    int wrong = 0;
    for (SampledProfile.Sample sample : SampledProfile.of(recording).samples()) {
      int method = Integer.parseInt(sample.method().substring(2));
      if (sample.link().isEmpty()) {
        none++;
      } else if ((Long.parseUnsignedLong(sample.link(), 16, 32, 16) - FIRST_TRACE)
              % FollowedService.METHODS
          == method) {
        right++;
      } else {
        wrong++;
      }
    }
    return new Tally(right, none, wrong);
  }

  private static void note(KernelEvent event, Map<Integer, List<Long>> lines) {
    String text = new String(event.payload(), StandardCharsets.UTF_8);
    if (text.startsWith("line ")) {
      int request = Integer.parseInt(text.substring(5).strip());
      long trace = event.hasContext() ? event.traceIdLow() : 0;
      lines.computeIfAbsent(request, number -> new ArrayList<>()).add(trace);
    }
  }

  private static Map<Integer, List<Long>> tracesByRequest(List<Span> calls) {
    return calls.stream()
        .collect(
            Collectors.groupingBy(
                FollowedWorkTest::requestOf,
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

  private static void assertThatCallsHaveTheirParents(List<Span> calls, List<Span> served) {
    Map<Integer, Span> servers =
        served.stream().collect(Collectors.toMap(FollowedWorkTest::requestOf, Function.identity()));
    for (Span call : calls) {
      assertThat(call.ids().parentId())
          .isEqualTo(servers.getOrDefault(requestOf(call), call).ids().spanId());
    }
  }

  private static void send(int port) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (ExecutorService senders = Executors.newFixedThreadPool(20)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 1; i <= REQUESTS; i++) {
        String trace = String.format("%032x", FIRST_TRACE + i);
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + i))
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
}
