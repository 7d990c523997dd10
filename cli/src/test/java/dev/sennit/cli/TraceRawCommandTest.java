/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.kernel.Cgroup;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sennit trace-raw} on real commands. */
class TraceRawCommandTest {
  @TempDir Path folder;

  @Test
  @Requires(root = true, commands = "curl")
  void aRequestOfCurlIsSeenAndGetsAHeader() throws Exception {
    LinkedBlockingQueue<String> headers = new LinkedBlockingQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(
        "/",
        exchange -> {
          headers.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try {
      Path events = folder.resolve("events.txt");
      Sennit run =
          Sennit.run(
              "trace-raw",
              "--start-traces",
              "-o",
              events.toString(),
              "--",
              "curl",
              "-s",
              "http://127.0.0.1:" + server.getAddress().getPort() + "/hello");

      assertThat(run.status()).as(run.err()).isZero();
      List<String> lines = Files.readAllLines(events);
      assertThat(lines)
          .anyMatch(line -> line.contains(" request ") && line.contains(headers.peek()));
      assertThat(lines).anyMatch(line -> line.contains(" out ") && line.contains("GET /hello"));
      assertThat(lines).anyMatch(line -> line.startsWith("injected ") && line.endsWith(" 1"));
      assertThat(headers.poll()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    } finally {
      server.stop(0);
    }
    assertThat(cgroups()).isEmpty();
  }

  @Test
  @Requires(root = true)
  void theStatusIsThatOfTheCommand() throws IOException {
    assertThat(Sennit.run("trace-raw", "-o", out(), "--", "sh", "-c", "exit 7").status())
        .isEqualTo(7);
    assertThat(Sennit.run("trace-raw", "-o", out(), "--", "no-such-program").status())
        .isEqualTo(127);
    assertThat(cgroups()).isEmpty();
  }

  @Test
  @Requires(root = true)
  void aCommandThatGoesOnEndsAfterItsTime() throws IOException {
    Sennit run = Sennit.run("trace-raw", "-o", out(), "--for", "300ms", "--", "sleep", "1000");

    assertThat(run.status()).isEqualTo(128);
    assertThat(cgroups()).isEmpty();
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThat(Sennit.run("trace-raw").err()).contains("COMMAND");
    Sennit run = Sennit.run("trace-raw", "--capture", "99999", "--", "true");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("capture 99999");
  }

  @Test
  @Requires(root = true, commands = "setpriv")
  void whoMayNotTraceIsToldWhatItTakes() {
    // This user may read every file, or it could not load the classes of this test.
    assertDenied(
        "/sennit-\\d+: permission denied",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "--inh-caps=-all,+dac_read_search",
        "--ambient-caps=-all,+dac_read_search");
    assertDenied("EPERM", "--bounding-set=-all,+dac_override", "--inh-caps=-all");
  }

  private static void assertDenied(String reason, String... privileges) {
    assertDenied(reason, List.of("trace-raw"), privileges);
    assertDenied(reason, List.of("run", "--no-agent"), privileges);
  }

  private static void assertDenied(String reason, List<String> tracing, String... privileges) {
    List<String> command = new ArrayList<>(List.of("setpriv"));
    command.addAll(List.of(privileges));
    List<String> arguments = new ArrayList<>(tracing);
    arguments.addAll(List.of("--", "echo", "ran"));
    command.addAll(
        ChildProcess.javaCommand(List.of(), Main.class, arguments.toArray(String[]::new)));
    try (ChildProcess sennit = ChildProcess.start(command)) {
      assertThat(sennit.readAll()).isEmpty();
      assertThat(sennit.waitFor()).isEqualTo(2);
      assertThat(sennit.errors().lines())
          .singleElement()
          .asString()
          .startsWith("sennit: ")
          .containsPattern(reason)
          .contains("tracing needs root, or CAP_BPF", "try: sudo sennit " + tracing.getFirst());
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    Path file = folder.resolve("missing").resolve("events.txt");
    Sennit run = Sennit.run("trace-raw", "-o", file.toString(), "--", "true");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(file + ": it cannot be written: there is no such folder");
  }

  private String out() {
    return folder.resolve("events.txt").toString();
  }

  /** Cgroups of this process that were left behind. */
  private static List<String> cgroups() throws IOException {
    String own = "sennit-" + ProcessHandle.current().pid();
    Path root = Cgroup.root().orElseThrow().folder();
    try (var all = Files.list(root)) {
      return all.map(path -> path.getFileName().toString()).filter(own::equals).toList();
    }
  }
}
