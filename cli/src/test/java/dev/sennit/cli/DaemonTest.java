/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static dev.sennit.cli.DaemonProcess.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.cli.observation.FollowedService;
import dev.sennit.kernel.Cgroup;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sennit daemon} on real programs in a cgroup of the test's own. */
@Requires(
    root = true,
    commands = {"curl", "python3"})
class DaemonTest {
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
  private Collector collector;

  @BeforeEach
  void prepare() throws IOException {
    cgroup = Cgroup.root().orElseThrow().create("sennit-daemon-" + ProcessHandle.current().pid());
    server = ChildProcess.start(cgroup.command(List.of("python3", "-c", SERVER)));
    port = Integer.parseInt(server.expect("port ").strip());
    collector = Collector.start(0);
  }

  @AfterEach
  void tidyUp() throws IOException {
    collector.close();
    server.close();
    await("the cgroup is empty", () -> processes().isEmpty());
    cgroup.remove();
  }

  @Test
  void observesReloadsAndEnds() throws Exception {
    Path file = write("");
    try (DaemonProcess daemon = DaemonProcess.start(file)) {
      String first = daemon.awaitLine("sennit: observing 1 cgroup and 0 processes: ");
      assertThat(first)
          .contains("requests are seen and get a traceparent")
          .contains("spans go to " + collector.address());

      curl();
      await("two spans", () -> collector.spans().size() == 2);
      assertThat(collector.spans())
          .extracting(Span::getKind)
          .containsExactlyInAnyOrder(
              Span.SpanKind.SPAN_KIND_CLIENT, Span.SpanKind.SPAN_KIND_SERVER);
      assertThat(traces()).hasSize(1);
      assertThat(daemon.metrics())
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 1.0)
          .containsEntry("sennit_exchanges_total{side=\"server\"}", 1.0)
          .containsEntry("sennit_spans_total", 2.0);

      Files.writeString(file, "tracing: {sampling_ratio: 7}");
      daemon.signal("HUP");
      assertThat(daemon.awaitLine("sennit: " + file + ":1: "))
          .isEqualTo(
              "sennit: "
                  + file
                  + ":1: tracing.sampling_ratio: '7' is not a number from 0 to 1; the settings stay"
                  + " as they were");
      curl();
      await("two more", () -> collector.spans().size() == 4);

      write("tracing: {sampling_ratio: 0}\n");
      daemon.signal("HUP");
      daemon.awaitLine("sennit: reloaded " + file + ": observing 1 cgroup");
      curl();
      await("none is kept", () -> Double.valueOf(2).equals(daemon.metrics().get(NOT_SAMPLED)));
      assertThat(daemon.metrics()).as("counters go on").containsEntry(INJECTED, 3.0);
      assertThat(collector.spans()).hasSize(4);

      daemon.signal("USR1");
      daemon.awaitLine("sennit: SIGUSR1 switches nothing, for hook.on_demand is false");

      daemon.end("TERM");
      assertThat(daemon.said()).contains("sennit: ended: 3 requests served, 3 sent; 4 spans");
    }
    assertThat(collector.lastSum("sennit.kernel.outcomes", "injected")).isEqualTo(3);
    assertThat(collector.lastSum("sennit.exchange.decisions", "not_sampled")).isEqualTo(2);
  }

  @Test
  void onDemandItSleepsUntilItIsSwitchedOn() throws Exception {
    Path file = write("hook: {on_demand: true}\n");
    try (DaemonProcess daemon = DaemonProcess.start(file)) {
      daemon.awaitLine("sennit: dormant until SIGUSR1, then observing 1 cgroup");
      curl();
      assertThat(daemon.metrics())
          .containsEntry(INJECTED, 0.0)
          .containsEntry("sennit_hook_active", 0.0);

      daemon.signal("USR1");
      daemon.awaitLine("sennit: switched on: requests are seen");
      curl();
      await("two spans", () -> collector.spans().size() == 2);
      assertThat(daemon.metrics())
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 1.0);

      daemon.signal("USR1");
      daemon.awaitLine("sennit: switched off");
      curl();
      assertThat(daemon.metrics())
          .containsEntry(INJECTED, 1.0)
          .containsEntry("sennit_hook_active", 0.0);

      write("hook: {on_demand: true, http2: true}\ntargets: {pids: [4194304]}\n");
      daemon.signal("HUP");
      daemon.awaitLine(
          "sennit: " + file + ":2: targets.pids: there is no process 4194304; it is left out");
      daemon.awaitLine("sennit: reloaded " + file + ": dormant until SIGUSR1");

      daemon.end("INT");
    }
    assertThat(collector.spans()).hasSize(2);
  }

  @Test
  void aRequestThatIsOpenAtAReloadIsFollowedToItsEnd() throws Exception {
    Path file = write("");
    Path permit = folder.resolve("permit");
    try (DaemonProcess daemon = DaemonProcess.start(file)) {
      daemon.awaitLine("sennit: observing 1 cgroup");
      try (ChildProcess curl = startCurl("/wait?" + permit)) {
        await("it is seen", () -> Double.valueOf(1).equals(daemon.metrics().get(INJECTED)));
        write("hook: {http2: true}\n");
        daemon.signal("HUP");
        daemon.awaitLine("sennit: reloaded " + file);
        Files.createFile(permit);
        assertThat(curl.readAll()).containsExactly("ok");
      }
      await("both spans", () -> collector.spans().size() == 2);
      assertThat(traces()).hasSize(1);
      daemon.end("TERM");
    }
  }

  /** Its service hands requests to a pool; without the agent no call would be in a trace. */
  @Test
  void aJvmThatRunsIsFollowedFromThreadToThread() throws Exception {
    List<String> command =
        ChildProcess.javaCommand(
            List.of("-XX:+EnableDynamicAgentLoading"), FollowedService.class, "" + port, "fixed");
    try (ChildProcess service = ChildProcess.start(cgroup.command(command));
        DaemonProcess daemon = DaemonProcess.start(write("jvm: {attach: true}\n"))) {
      int gateway = Integer.parseInt(service.expect("port ").strip());
      daemon.awaitLine("sennit: process " + service.pid() + " has the agent");
      int requests = 40;
      send(gateway, requests);
      await("all calls", () -> calls().size() == 2 * requests);
      assertThat(calls())
          .allSatisfy(
              call ->
                  assertThat(call.getTraceId().asReadOnlyByteBuffer().getLong(8))
                      .isEqualTo(requestOf(call)));
      await("a piece of the recording", daemon::hasProfile);
      daemon.end("TERM");
      assertThat(daemon.said())
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

  @Test
  void aJvmThatSomebodyProfilesIsFollowedAndProfiledAfterwards() throws Exception {
    Path agent = Path.of("..", "agent", "target", "sennit-agent.jar");
    List<String> command =
        ChildProcess.javaCommand(
            List.of(
                "-XX:+EnableDynamicAgentLoading",
                "-javaagent:%s=start,cpu=10ms,ctxstorage=otel,jfr,file=%s"
                    .formatted(agent, folder.resolve("own.jfr"))),
            FollowedService.class,
            "" + port,
            "fixed");
    try (ChildProcess service = ChildProcess.start(cgroup.command(command));
        DaemonProcess daemon = DaemonProcess.start(write("jvm: {attach: true}\n"))) {
      int gateway = Integer.parseInt(service.expect("port ").strip());
      String process = "sennit: process " + service.pid();
      daemon.awaitLine(process + " has the agent");
      assertThat(daemon.awaitLine(process + ": profiling runs already: "))
          .contains("cpu=10ms", "own.jfr")
          .endsWith("; stop it first; it is followed, and profiled as soon as it can be");
      int requests = 10;
      send(gateway, requests);
      await("all calls", () -> calls().size() == 2 * requests);

      try (ChildProcess stop =
          ChildProcess.start(
              ChildProcess.javaCommand(
                  List.of("-Dsennit.agent=" + agent),
                  Main.class,
                  "profile",
                  "" + service.pid(),
                  "--stop"))) {
        assertThat(stop.waitFor()).as(stop.errors()).isZero();
      }
      daemon.awaitLine(process + " is profiled now");
      await("a piece of the recording", daemon::hasProfile);
      daemon.end("TERM");
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
    return collector.spans(Span.SpanKind.SPAN_KIND_CLIENT);
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
    try (DaemonProcess daemon = DaemonProcess.start(write("hook: {enabled: false}\n"))) {
      daemon.awaitLine(
          "sennit: observing 0 cgroups and 0 processes: requests are not seen: the hook is"
              + " switched off");
      assertThat(daemon.metrics()).containsEntry("sennit_hook_active", 0.0);
      daemon.end("TERM");
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
    int taken = collector.port();
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
          endpoint: %s
          queue: {directory: %s}
        """
            .formatted(cgroup.folder(), collector.address(), folder.resolve("queue"));
    String own =
        more.contains("targets:") || more.contains("enabled: false")
            ? text.substring(text.indexOf('\n') + 1)
            : text;
    return Files.writeString(folder.resolve("sennit.yaml"), more + own);
  }

  private Set<ByteString> traces() {
    return collector.spans().stream().map(Span::getTraceId).collect(Collectors.toSet());
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

  private List<Integer> processes() {
    try {
      return cgroup.processes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
