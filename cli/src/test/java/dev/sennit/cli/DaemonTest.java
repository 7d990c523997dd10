/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.cli.metrics.PrometheusSamples;
import dev.sennit.cli.observation.FollowedService;
import dev.sennit.kernel.Cgroup;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sennit daemon} on real programs in a cgroup of the test's own. */
@Requires(
    root = true,
    commands = {"curl", "python3"})
class DaemonTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
  private static final Pattern METRICS = Pattern.compile("metrics at (http://[^ \n]+)");
  private static final Pattern PAGE = Pattern.compile("the page is at (http://[^ \n]+)");
  private static final String INJECTED = "sennit_kernel_outcomes_total{outcome=\"injected\"}";
  private static final String NOT_SAMPLED =
      "sennit_exchange_decisions_total{decision=\"not_sampled\"}";
  private static final String SERVER =
      """
      import http.server, os, time
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              while "?" in self.path and not os.path.exists(self.path.split("?")[1]):
                  time.sleep(0.02)
              self.send_response(200)
              self.send_header("Content-Length", "2")
              self.end_headers()
              self.wfile.write(b"ok")
          def log_message(self, *a):
              pass
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      print("port", server.server_port, flush=True)
      server.serve_forever()
      """;

  @TempDir private Path folder;
  private Cgroup cgroup;
  private ChildProcess server;
  private int port;
  private HttpServer collector;
  private final List<Span> spans = Collections.synchronizedList(new ArrayList<>());
  private final List<ExportMetricsServiceRequest> metrics =
      Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void prepare() throws IOException {
    cgroup = Cgroup.root().orElseThrow().create("sennit-daemon-" + ProcessHandle.current().pid());
    server = ChildProcess.start(cgroup.command(List.of("python3", "-c", SERVER)));
    port = Integer.parseInt(server.expect("port ").strip());
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    collector.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          if (exchange.getRequestURI().getPath().equals("/v1/traces")) {
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
                .flatMap(each -> each.getScopeSpansList().stream())
                .forEach(each -> spans.addAll(each.getSpansList()));
          } else {
            metrics.add(ExportMetricsServiceRequest.parseFrom(body));
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void tidyUp() throws IOException {
    collector.stop(0);
    server.close();
    await("the cgroup is empty", () -> processes().isEmpty());
    cgroup.remove();
  }

  @Test
  void observesReloadsAndEnds() throws Exception {
    Path file = write("");
    try (ChildProcess daemon = start(file)) {
      String first = awaitLine(daemon, "sennit: observing 1 cgroup and 0 processes: ");
      assertThat(first)
          .contains("requests are seen and get a traceparent")
          .contains("spans go to http://127.0.0.1:" + collector.getAddress().getPort());
      String url = metricsUrl(daemon);

      curl();
      await("two spans", () -> spans.size() == 2);
      assertThat(spans)
          .extracting(Span::getKind)
          .containsExactlyInAnyOrder(
              Span.SpanKind.SPAN_KIND_CLIENT, Span.SpanKind.SPAN_KIND_SERVER);
      assertThat(spans).extracting(Span::getTraceId).containsOnly(spans.getFirst().getTraceId());
      assertThat(samples(url))
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 1.0)
          .containsEntry("sennit_exchanges_total{side=\"server\"}", 1.0)
          .containsEntry("sennit_spans_total", 2.0);

      Files.writeString(file, "tracing: {sampling_ratio: 7}");
      signal(daemon, "HUP");
      assertThat(awaitLine(daemon, "sennit: " + file + ":1: "))
          .isEqualTo(
              "sennit: "
                  + file
                  + ":1: tracing.sampling_ratio: '7' is not a number from 0 to 1; the settings stay"
                  + " as they were");
      curl();
      await("two more", () -> spans.size() == 4);

      write("tracing: {sampling_ratio: 0}\n");
      signal(daemon, "HUP");
      awaitLine(daemon, "sennit: reloaded " + file + ": observing 1 cgroup");
      curl();
      await("none is kept", () -> Double.valueOf(2).equals(samples(url).get(NOT_SAMPLED)));
      assertThat(samples(url)).as("counters go on").containsEntry(INJECTED, 3.0);
      assertThat(spans).hasSize(4);

      signal(daemon, "USR1");
      awaitLine(daemon, "sennit: SIGUSR1 switches nothing, for hook.on_demand is false");

      signal(daemon, "TERM");
      assertThat(daemon.waitFor()).as(daemon.errors()).isZero();
      assertThat(daemon.errors()).contains("sennit: ended: 3 requests served, 3 sent; 4 spans");
      assertThat(daemon.readAll()).isEmpty();
    }
    assertThat(lastMetric("sennit.kernel.outcomes", "injected")).isEqualTo(3);
    assertThat(lastMetric("sennit.exchange.decisions", "not_sampled")).isEqualTo(2);
  }

  @Test
  void onDemandItSleepsUntilItIsSwitchedOn() throws Exception {
    Path file = write("hook: {on_demand: true}\n");
    try (ChildProcess daemon = start(file)) {
      awaitLine(daemon, "sennit: dormant until SIGUSR1, then observing 1 cgroup");
      String url = metricsUrl(daemon);
      curl();
      assertThat(samples(url))
          .containsEntry(INJECTED, 0.0)
          .containsEntry("sennit_hook_active", 0.0);

      signal(daemon, "USR1");
      awaitLine(daemon, "sennit: switched on: requests are seen");
      curl();
      await("two spans", () -> spans.size() == 2);
      assertThat(samples(url))
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 1.0);

      signal(daemon, "USR1");
      awaitLine(daemon, "sennit: switched off");
      curl();
      assertThat(samples(url))
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 0.0);

      write("hook: {on_demand: true, http2: true}\ntargets: {pids: [4194304]}\n");
      signal(daemon, "HUP");
      awaitLine(
          daemon,
          "sennit: " + file + ":2: targets.pids: there is no process 4194304; it is left out");
      awaitLine(daemon, "sennit: reloaded " + file + ": dormant until SIGUSR1");

      signal(daemon, "INT");
      assertThat(daemon.waitFor()).as(daemon.errors()).isZero();
    }
    assertThat(spans).hasSize(2);
  }

  @Test
  void aRequestThatIsOpenAtAReloadIsFollowedToItsEnd() throws Exception {
    Path file = write("");
    Path permit = folder.resolve("permit");
    try (ChildProcess daemon = start(file)) {
      awaitLine(daemon, "sennit: observing 1 cgroup");
      String url = metricsUrl(daemon);
      try (ChildProcess curl = startCurl("/wait?" + permit)) {
        await("it is seen", () -> Double.valueOf(1).equals(samples(url).get(INJECTED)));
        write("hook: {http2: true}\n");
        signal(daemon, "HUP");
        awaitLine(daemon, "sennit: reloaded " + file);
        Files.createFile(permit);
        assertThat(curl.readAll()).containsExactly("ok");
      }
      await("both spans", () -> spans.size() == 2);
      assertThat(spans).extracting(Span::getTraceId).containsOnly(spans.getFirst().getTraceId());
      signal(daemon, "TERM");
      assertThat(daemon.waitFor()).as(daemon.errors()).isZero();
    }
  }

  /** Its service hands requests to a pool; without the agent no call would be in a trace. */
  @Test
  void aJvmThatRunsIsFollowedFromThreadToThread() throws Exception {
    List<String> command =
        ChildProcess.javaCommand(
            List.of("-XX:+EnableDynamicAgentLoading"), FollowedService.class, "" + port, "fixed");
    try (ChildProcess service = ChildProcess.start(cgroup.command(command));
        ChildProcess daemon = start(write("jvm: {attach: true}\n"))) {
      int gateway = Integer.parseInt(service.expect("port ").strip());
      awaitLine(daemon, "sennit: process " + service.pid() + " has the agent");
      int requests = 40;
      send(gateway, requests);
      await("all calls", () -> calls().size() == 2 * requests);
      assertThat(calls())
          .allSatisfy(
              call ->
                  assertThat(call.getTraceId().asReadOnlyByteBuffer().getLong(8))
                      .isEqualTo(requestOf(call)));
      await("a piece of the recording", () -> hasProfile(daemon));
      signal(daemon, "TERM");
      assertThat(daemon.waitFor()).as(daemon.errors()).isZero();
      assertThat(daemon.errors())
          .containsPattern("sennit: kept in .*; the page is at http://localhost:\\d+/");
    }
    Sennit samples =
        Sennit.run(
            "sql",
            "--store",
            folder.resolve("store.duckdb").toString(),
            "SELECT count(*) > 0, count(DISTINCT service) FROM samples WHERE type = 'cpu'");
    assertThat(samples.out()).as(samples.err()).contains("true");
    assertThat(
            Sennit.run(
                    "sql",
                    "--store",
                    folder.resolve("store.duckdb").toString(),
                    "SELECT count(*) FROM spans WHERE kind = 'SERVER' AND service ="
                        + " 'FollowedService'")
                .out())
        .contains("40");
  }

  /** Whether the page says that a profile was received. */
  private static boolean hasProfile(ChildProcess daemon) {
    Matcher page = PAGE.matcher(daemon.errors());
    if (!page.find()) {
      return false;
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      String counters =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(page.group(1) + "api/receiver")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return counters.matches("(?s).*\"profiles\",\"requests\":[1-9].*");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Eight at a time; the number of a request is its trace. */
  private static void send(int port, int requests) throws Exception {
    HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    try (HttpClient sender = client.build();
        ExecutorService senders = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 1; i <= requests; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + i))
                .header("traceparent", String.format("00-%032x-00000000000000ff-01", i))
                .build();
        answers.add(
            senders.submit(
                () -> sender.send(request, HttpResponse.BodyHandlers.discarding()).statusCode()));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
  }

  private List<Span> calls() {
    synchronized (spans) {
      return spans.stream()
          .filter(span -> span.getKind() == Span.SpanKind.SPAN_KIND_CLIENT)
          .toList();
    }
  }

  private static long requestOf(Span call) {
    String url =
        call.getAttributesList().stream()
            .filter(attribute -> attribute.getKey().equals("url.full"))
            .findFirst()
            .orElseThrow()
            .getValue()
            .getStringValue();
    return Long.parseLong(url.split("/", -1)[3]);
  }

  @Test
  void withoutTheHookItRunsWithWhatIsLeft() throws Exception {
    try (ChildProcess daemon = start(write("hook: {enabled: false}\n"))) {
      awaitLine(
          daemon,
          "sennit: observing 0 cgroups and 0 processes: requests are not seen: the hook is"
              + " switched off");
      assertThat(samples(metricsUrl(daemon))).containsEntry("sennit_hook_active", 0.0);
      signal(daemon, "TERM");
      assertThat(daemon.waitFor()).as(daemon.errors()).isZero();
    }
  }

  @Test
  void whatCannotBeginEndsWithStatus2AndOneLine() throws Exception {
    Path file = folder.resolve("sennit.yaml");
    assertRefused(file, "", ": targets.pids: nobody is named, here or in targets.cgroups");
    assertRefused(
        file, "targets: {pids: [4194304]}", ":1: targets.pids: there is no process 4194304");
    assertRefused(
        file,
        "targets:\n  cgroups: [/]",
        ":2: targets.cgroups: '/' is the root cgroup, which is the whole host");
    assertRefused(file, "hok: 1", ":1: hok: unknown key (did you mean hook?); allowed here:");
    int taken = collector.getAddress().getPort();
    assertRefused(
        file,
        "hook: {enabled: false}\nmetrics: {listen: '127.0.0.1:" + taken + "'}",
        ":2: metrics.listen: cannot listen at 127.0.0.1:" + taken + ": Address already in use");
    assertRefused(
        file,
        "hook: {enabled: false}\nmetrics: {listen: off, otlp: {enabled: true}}",
        ":2: metrics.otlp.enabled: needs a collector; name it with export.endpoint");
  }

  private static void assertRefused(Path file, String text, String line) throws IOException {
    Files.writeString(file, text);
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(List.of(), Main.class, "daemon", "--config", file.toString()));
    builder.environment().keySet().removeIf(name -> name.contains("OTLP"));
    builder.environment().put("SENNIT_STORE", file.resolveSibling("store.duckdb").toString());
    try (ChildProcess daemon = ChildProcess.start(builder)) {
      assertThat(daemon.waitFor()).as(daemon.errors()).isEqualTo(2);
      assertThat(daemon.errors().lines())
          .singleElement()
          .asString()
          .startsWith("sennit: " + file + line);
    }
  }

  /** A file that observes the cgroup, with more in it; what it says itself comes first. */
  private Path write(String more) throws IOException {
    String text =
        """
        targets: {cgroups: [%s]}
        metrics: {listen: '127.0.0.1:0', otlp: {enabled: true, interval: 500ms}}
        export:
          endpoint: http://127.0.0.1:%d
          queue: {directory: %s}
        """
            .formatted(cgroup.folder(), collector.getAddress().getPort(), folder.resolve("queue"));
    String own =
        more.contains("targets:") || more.contains("enabled: false")
            ? text.substring(text.indexOf('\n') + 1)
            : text;
    return Files.writeString(folder.resolve("sennit.yaml"), more + own);
  }

  /** A JVM that is started with a signal ignored, as by nohup or a script, goes on ignoring it. */
  private static ChildProcess start(Path file) {
    String store = "SENNIT_STORE=" + file.resolveSibling("store.duckdb");
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT", store));
    command.addAll(
        ChildProcess.javaCommand(
            List.of("-Dsennit.agent=../agent/target/sennit-agent.jar"),
            Main.class,
            "daemon",
            "--config",
            file.toString()));
    return ChildProcess.start(command);
  }

  private void curl() {
    try (ChildProcess curl = startCurl("/hello")) {
      assertThat(curl.readAll()).containsExactly("ok");
    }
  }

  private ChildProcess startCurl(String path) {
    return ChildProcess.start(
        cgroup.command(List.of("curl", "-s", "http://127.0.0.1:" + port + path)));
  }

  private static void signal(ChildProcess daemon, String name) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + daemon.pid()).start().waitFor())
        .isZero();
  }

  private static String awaitLine(ChildProcess daemon, String start) {
    await(
        "a line that starts with " + start + " in\n" + daemon.errors(),
        () -> daemon.errors().lines().anyMatch(line -> line.startsWith(start)));
    return daemon.errors().lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  private static String metricsUrl(ChildProcess daemon) {
    Matcher matcher = METRICS.matcher(daemon.errors());
    assertThat(matcher.find()).as(daemon.errors()).isTrue();
    return matcher.group(1);
  }

  private static Map<String, Double> samples(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return PrometheusSamples.parse(
          client
              .send(
                  HttpRequest.newBuilder(URI.create(url)).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long lastMetric(String name, String kind) {
    Metric metric =
        metrics.getLast().getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return metric.getSum().getDataPointsList().stream()
        .filter(point -> point.getAttributes(0).getValue().getStringValue().equals(kind))
        .mapToLong(NumberDataPoint::getAsInt)
        .findFirst()
        .orElseThrow();
  }

  private List<Integer> processes() {
    try {
      return cgroup.processes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
