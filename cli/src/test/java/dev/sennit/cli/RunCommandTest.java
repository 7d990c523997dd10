/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Cgroup;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
  /** A server, and a client that asks it ten times and ends. */
  private static final String SOMETHING =
      """
      python3 -m http.server --bind 127.0.0.1 $1 >/dev/null 2>&1 &
      server=$!
      until curl -s -o /dev/null http://127.0.0.1:$1/ready; do sleep 0.1; done
      for i in 1 2 3 4 5 6 7 8 9 10; do curl -s -o /dev/null http://127.0.0.1:$1/number/$i; done
      kill $server
      exit 3
      """;

  /** It receives for five seconds after the first request. */
  private static final String COLLECTOR =
      """
      import http.server, sys, threading
      count = 0
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_POST(self):
              global count
              count += 1
              self.rfile.read(int(self.headers['Content-Length']))
              if count == 1:
                  threading.Timer(5, server.shutdown).start()
              self.send_response(200)
              self.send_header('Content-Length', '0')
              self.end_headers()
      server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler)
      print('listening', flush=True)
      server.serve_forever()
      print('received in the end:', count, flush=True)
      """;

  @TempDir Path folder;

  @Test
  @Requires(
      root = true,
      commands = {"python3", "curl"})
  void spansOfACommandArriveAtTheCollector() throws Exception {
    try (Collector collector = Collector.start(0);
        ChildProcess sennit = sennit(collector.port(), "--for", "60s")) {
      assertThat(sennit.waitFor()).as(sennit.errors()).isEqualTo(3);
      assertThat(sennit.errors()).contains("requests served", "spans", "lines");
      assertArrived(collector);
      assertLinesArrived(collector);
    }
    assertNothingIsLeft();
  }

  /** It writes a line for each request, and each of its requests would be a span. */
  @Test
  @Requires(root = true, commands = "python3")
  void aCollectorThatIsObservedHearsNothingOfItself() throws Exception {
    Path script = folder.resolve("collector.py");
    Files.writeString(script, COLLECTOR);
    String port = Integer.toString(freePort());
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(
                List.of(),
                Main.class,
                "run",
                "--no-agent",
                "--otlp",
                "http://127.0.0.1:" + port,
                "--",
                interpreter(),
                script.toString(),
                port));
    builder.environment().put("SENNIT_OTLP_QUEUE_DIRECTORY", folder.resolve("queue").toString());
    try (ChildProcess sennit = ChildProcess.start(builder)) {
      int received = Integer.parseInt(sennit.expect("received in the end: "));
      assertThat(sennit.waitFor()).as(sennit.errors()).isZero();
      assertThat(received).isBetween(1, 5);
    }
  }

  /** Itself: what stands for it on the path may be a script whose programs write lines, too. */
  private static String interpreter() throws IOException {
    Process python =
        new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
    return new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  @Requires(
      root = true,
      commands = {"python3", "curl"})
  void theyAlsoDoIfItComesFiveSecondsLater() throws Exception {
    int port = freePort();
    try (ChildProcess sennit = sennit(port, "--for", "60s")) {
      TimeUnit.SECONDS.sleep(5);
      try (Collector collector = Collector.start(port)) {
        assertThat(sennit.waitFor()).as(sennit.errors()).isEqualTo(3);
        if (collector.spans("url.path", "/number/10").isEmpty()) {
          // What waited on disk goes out with the next one.
          try (ChildProcess next = sennit(port, "--for", "60s")) {
            next.waitFor();
          }
        }
        assertArrived(collector);
      }
    }
  }

  @Test
  @Requires(root = true)
  void theStatusIsThatOfTheCommand() throws IOException {
    assertThat(Sennit.run("run", "--no-agent", "--", "sh", "-c", "exit 7").status()).isEqualTo(7);
    assertThat(Sennit.run("run", "--no-agent", "--", "no-such-program").status()).isEqualTo(127);
    assertThat(Sennit.run("run", "--no-agent", "--for", "300ms", "--", "sleep", "1000").status())
        .isZero();
    assertNothingIsLeft();
  }

  @Test
  @Requires(root = true)
  void aSignalReachesTheCommand() throws Exception {
    Path ready = folder.resolve("ready");
    try (ChildProcess sennit =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of(),
                Main.class,
                "run",
                "--no-agent",
                "--",
                "sh",
                "-c",
                "trap 'exit 5' USR1; touch " + ready + "; while :; do sleep 0.1; done"))) {
      while (!Files.exists(ready)) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      new ProcessBuilder("kill", "-USR1", "" + sennit.pid()).start().waitFor();
      assertThat(sennit.waitFor()).isEqualTo(5);
    }
    assertNothingIsLeft();
  }

  @Test
  @Requires(root = true)
  void aJvmGetsTheAgentAndOthersTheVariable() {
    Path agent = Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    AgentUse alone = new AgentUse(agent, Optional.empty(), Optional.empty());
    assertThat(JavaCommands.withAgent(List.of(java, "-jar", "a.jar"), alone))
        .containsExactly(java, "-javaagent:" + agent + "=ctxstorage=otel", "-jar", "a.jar");
    Map<String, String> environment = new HashMap<>(Map.of("JAVA_TOOL_OPTIONS", "-Da"));
    Optional<AgentUse.Profiling> profiling =
        Optional.of(
            new AgentUse.Profiling(AgentUse.USUAL_EVENTS, URI.create("http://localhost:4318")));
    JavaCommands.addAgent(
        List.of("./start.sh"),
        new AgentUse(agent, Optional.of(Path.of("/tmp/a/inbound")), profiling),
        environment);
    assertThat(environment)
        .containsEntry(
            "JAVA_TOOL_OPTIONS",
            "-Da -Dsennit.otlp.queue.bound=0 -javaagent:"
                + agent
                + "=ctxstorage=otel,inbound=/tmp/a/inbound,start,cpu=10ms,wall=50ms,chunktime=5s,"
                + "otlp=http://localhost:4318");
    environment.clear();
    JavaCommands.addAgent(
        List.of("./start.sh"),
        new AgentUse(Path.of("/a b/c.jar"), Optional.empty(), Optional.empty()),
        environment);
    assertThat(environment)
        .containsEntry("JAVA_TOOL_OPTIONS", "\"-javaagent:/a b/c.jar=ctxstorage=otel\"");
  }

  @Test
  void aSocketThatNoOptionCanNameIsLeftOut() {
    AgentUse use =
        new AgentUse(Path.of("/a.jar"), Optional.of(Path.of("/tmp/a,b/inbound")), Optional.empty());
    assertThat(JavaCommands.withAgent(List.of("java", "A"), use))
        .containsExactly("java", "-javaagent:/a.jar=ctxstorage=otel", "A");
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThat(Sennit.run("run").err()).contains("COMMAND");
    Sennit ratio = Sennit.run("run", "--no-agent", "--sample", "2", "--", "true");
    assertThat(ratio.status()).isEqualTo(2);
    assertThat(ratio.err()).contains("2.0").contains("0 to 1");
    Sennit url = Sennit.run("run", "--no-agent", "--otlp", "nowhere", "--", "true");
    assertThat(url.status()).isEqualTo(2);
    assertThat(url.err()).contains("nowhere");
    Sennit page = Sennit.run("run", "--no-agent", "--page", "there", "--", "true");
    assertThat(page.status()).isEqualTo(2);
    assertThat(page.err())
        .isEqualTo("sennit: --page there is neither a port, nor HOST:PORT, nor off\n");
  }

  @Test
  @Requires(root = true)
  void withoutAStoreThereIsNoPage() {
    Sennit run = Sennit.run("run", "--no-agent", "--no-store", "--", "true");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).startsWith("sennit: 0 requests served").hasLineCount(1);
  }

  @Test
  @Requires(root = true)
  void aPlaceThatIsTakenIsNamedAndNothingIsLeft() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      Sennit run = Sennit.run("run", "--no-agent", "--page", port, "--", "true");
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo(
              "sennit: the page cannot listen on localhost:" + port + ": Address already in use\n");
    }
    Path file = Files.writeString(folder.resolve("no.duckdb"), "not a database, but text of mine");
    Sennit store = Sennit.run("run", "--no-agent", "--store", file.toString(), "--", "true");
    assertThat(store.status()).isEqualTo(2);
    assertThat(store.err()).contains(file.toString()).hasLineCount(1);
    assertNothingIsLeft();
  }

  @Test
  @Requires(
      root = true,
      commands = {"python3", "curl"})
  void whatWasSeenIsSummedUpAndKeptWhereThatIsWanted() throws Exception {
    Path script = folder.resolve("something.sh");
    Files.writeString(script, SOMETHING);
    Path store = folder.resolve("kept.duckdb");
    Sennit run =
        Sennit.run(
            "run",
            "--no-agent",
            "--page",
            "0",
            "--store",
            store.toString(),
            "--",
            "sh",
            script.toString(),
            "" + freePort());
    assertThat(run.status()).as(run.err()).isEqualTo(3);
    assertThat(run.err())
        .containsPattern("sennit: the page is at http://localhost:\\d+/\n")
        .contains("sennit: slowest traces:\n")
        .containsPattern("GET /number/\\{id\\} +2 spans");
    Sennit asked =
        Sennit.run(
            "sql",
            "--store",
            store.toString(),
            "SELECT count(DISTINCT trace_id) FROM spans JOIN logs USING (trace_id, span_id)"
                + " WHERE kind = 'SERVER' AND body LIKE '%GET /number/%'");
    assertThat(asked.out()).as(asked.err()).contains("\n10\n");
  }

  private ChildProcess sennit(int port, String... options) throws IOException {
    Path script = folder.resolve("something.sh");
    Files.writeString(script, SOMETHING);
    List<String> arguments = new ArrayList<>(List.of("run", "--no-agent"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--otlp", "http://127.0.0.1:" + port));
    arguments.addAll(List.of("--", "sh", script.toString(), "" + freePort()));
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(List.of(), Main.class, arguments.toArray(String[]::new)));
    builder.environment().put("SENNIT_OTLP_QUEUE_DIRECTORY", folder.resolve("queue").toString());
    return ChildProcess.start(builder);
  }

  /** Each of the ten requests: once as it was sent, once as it was served, and joined. */
  private static void assertArrived(Collector collector) {
    for (int i = 1; i <= 10; i++) {
      String path = "/number/" + i;
      List<Span> served = collector.spans("url.path", path);
      List<Span> sent = collector.spans("url.full", path);
      assertThat(served).as("served %s", path).isNotEmpty();
      assertThat(sent).as("sent %s", path).hasSameSizeAs(served);
      for (Span span : served) {
        assertThat(sent)
            .filteredOn(each -> each.getSpanId().equals(span.getParentSpanId()))
            .singleElement()
            .satisfies(each -> assertThat(each.getTraceId()).isEqualTo(span.getTraceId()));
      }
    }
  }

  /** Python's server writes a line about each request while it serves it. */
  private static void assertLinesArrived(Collector collector) {
    for (int i = 1; i <= 10; i++) {
      String path = "/number/" + i;
      LogRecord line = collector.line("GET " + path + " ");
      assertThat(collector.spans("url.path", path))
          .singleElement()
          .satisfies(
              span -> {
                assertThat(line.getTraceId()).isEqualTo(span.getTraceId());
                assertThat(line.getSpanId()).isEqualTo(span.getSpanId());
              });
      assertThat(line.getAttributesList())
          .extracting(KeyValue::getKey)
          .contains("trace_id", "span_id", "service.name", "traceparent", "sennit.correlation");
    }
  }

  @Test
  @Requires(root = true)
  void whatAKilledOneLeftIsNotInTheWay() throws IOException {
    String name = "sennit-" + ProcessHandle.current().pid();
    Cgroup left = Cgroup.root().orElseThrow().create(name);
    assertThat(Sennit.run("run", "--no-agent", "--", "sh", "-c", "exit 7").status()).isEqualTo(7);
    assertNothingIsLeft();
    Cgroup used = Cgroup.root().orElseThrow().create(name);
    try (ChildProcess running = ChildProcess.start(used.command(List.of("sh", "-c", "read x")))) {
      while (used.processes().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(Sennit.run("run", "--no-agent", "--", "sh", "-c", "exit 7").status()).isEqualTo(7);
      assertThat(running.isAlive()).isTrue();
    }
    while (!used.processes().isEmpty()) {
      Thread.onSpinWait();
    }
    used.remove();
    assertThat(left.folder()).doesNotExist();
    assertThat(left.folder().resolveSibling(name + "-2")).doesNotExist();
  }

  @Test
  @Requires(root = true, commands = "unshare")
  void whereNoCgroupCanBeMadeItSaysSo() throws IOException {
    String root = Cgroup.root().orElseThrow().folder().toString();
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount --bind $0 $0 && mount -o remount,bind,ro $0 && exec \"$@\"",
                root));
    command.addAll(
        ChildProcess.javaCommand(List.of(), Main.class, "run", "--no-agent", "--", "true"));
    try (ChildProcess sennit = ChildProcess.start(command)) {
      assertThat(sennit.waitFor()).isEqualTo(2);
      assertThat(sennit.errors())
          .startsWith("sennit: a cgroup for the command cannot be made: " + root + "/sennit-")
          .contains("Read-only file system")
          .hasLineCount(1);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void assertNothingIsLeft() throws IOException {
    Path root = Cgroup.root().orElseThrow().folder();
    try (Stream<Path> folders = Files.list(root)) {
      assertThat(folders.map(each -> each.getFileName().toString()))
          .doesNotContain("sennit-" + ProcessHandle.current().pid());
    }
  }
}
