/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that starts again is observed again, though its cgroup is another of that name. */
@Requires(
    root = true,
    commands = {"python3", "curl"})
final class RestartedServiceTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final String NAME = "sennit-test-" + ProcessHandle.current().pid() + "-restarted";
  private static final String SERVER =
      """
      import http.server
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              self.send_response(200)
              self.send_header("Content-Length", "0")
              self.end_headers()
          def log_message(self, *a):
              pass
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      print("port", server.server_port, flush=True)
      server.serve_forever()
      """;

  private final List<Observation.Seen> events = Collections.synchronizedList(new ArrayList<>());
  private Cgroup cgroup;

  @BeforeEach
  void create() throws IOException {
    cgroup = Cgroup.root().orElseThrow().create(NAME);
  }

  @AfterEach
  void remove() throws IOException {
    cgroup.remove();
  }

  @Test
  void itsRequestsAreSeenAndGetATraceparent() throws Exception {
    try (KernelTracer tracer = start()) {
      assertServed(tracer, "/first");
      for (int i = 0; i < 3; i++) {
        startAgain();
        assertServed(tracer, "/again" + i);
      }
    }
  }

  @Test
  void alsoIfThatHappensWhileNobodyLooks() throws Exception {
    try (KernelTracer tracer = start()) {
      tracer.deactivate();
      cgroup.remove();
      tracer.activate();
      cgroup = Cgroup.root().orElseThrow().create(NAME);
      assertServed(tracer, "/late");
      tracer.deactivate();
      startAgain();
      tracer.activate();
      assertServed(tracer, "/later");
    }
  }

  private KernelTracer start() throws IOException {
    return KernelTracer.start(
        new TracerSettings.Builder().startTraces(true).build(),
        List.of(new Target.OfCgroup(cgroup)),
        event -> events.add(Observation.Seen.of(event)));
  }

  /** As systemd does it. */
  private void startAgain() throws IOException {
    cgroup.remove();
    cgroup = Cgroup.root().orElseThrow().create(NAME);
  }

  /** Asks until a request is seen on both sides and has a header: the new cgroup is found soon. */
  private void assertServed(KernelTracer tracer, String path) throws Exception {
    try (ChildProcess server =
        ChildProcess.start(cgroup.command(List.of("python3", "-c", SERVER)))) {
      String address = "http://127.0.0.1:" + server.expect("port ").strip() + path;
      long before = injected(tracer);
      long end = System.nanoTime() + PATIENCE;
      while (injected(tracer) == before
          || !hasCome(seen -> seen.payload().startsWith("GET " + path))) {
        assertThat(System.nanoTime()).as(tracer.describe()).isLessThan(end);
        try (ChildProcess curl =
            ChildProcess.start(cgroup.command(List.of("curl", "-s", address)))) {
          assertThat(curl.waitFor()).isZero();
        }
      }
    }
    while (!cgroup.processes().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private static long injected(KernelTracer tracer) {
    return tracer.counters().getOrDefault(Outcome.INJECTED, 0L);
  }

  private boolean hasCome(Predicate<Observation.Seen> wanted) {
    synchronized (events) {
      return events.stream().anyMatch(wanted);
    }
  }
}
