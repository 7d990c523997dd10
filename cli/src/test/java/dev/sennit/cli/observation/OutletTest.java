/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way out leads elsewhere while a collector takes its time. */
class OutletTest {
  /** An {@code ExportTraceServiceRequest} with nothing in it. */
  private static final byte[] REQUEST = {};

  @TempDir private Path folder;

  private final Semaphore asked = new Semaphore(0);
  private final Semaphore answers = new Semaphore(0);
  private final Outlet outlet = new Outlet(line -> {});
  private HttpServer collector;

  @BeforeEach
  void start() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/", this::answer);
    collector.start();
  }

  @AfterEach
  void end() {
    answers.release(100);
    outlet.close();
    collector.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      asked.release();
      answers.acquireUninterruptibly();
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private ExportSettings settings() {
    Map<String, String> properties =
        Map.of(
            "sennit.otlp.endpoint",
            "http://127.0.0.1:" + collector.getAddress().getPort(),
            "sennit.otlp.queue.directory",
            folder.resolve("queue").toString());
    return ExportSettings.read(Signal.TRACES, name -> null, properties::get, line -> {});
  }

  private long sent() {
    return outlet.counters().orElseThrow().sent();
  }

  private void leadNowhere() {
    try {
      outlet.change(Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void countersGoOnWhileTheLastOnesStillGoWhereTheyWereToGo() throws Exception {
    outlet.change(Optional.of(settings()));
    outlet.export(REQUEST);
    answers.release();
    while (sent() < 1) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    asked.acquire();
    outlet.export(REQUEST);
    asked.acquire();
    Thread changing = Thread.ofPlatform().start(this::leadNowhere);
    while (changing.isAlive() && changing.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(sent()).as("while the second one waits for its answer").isOne();
    answers.release();
    changing.join();
    assertThat(sent()).isEqualTo(2);
  }
}
