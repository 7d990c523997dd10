/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanCount;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.span.SpanSettings;
import dev.sennit.tracing.span.SpanSettings.Doubled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A service that OpenTelemetry's own Java agent reports, with Sennit's extension, under
 * observation: nothing is reported twice.
 */
@Requires(root = true)
final class SdkSpansTest {
  private static final int REQUESTS = 50;
  private static final Path MODULES = Path.of("..").toAbsolutePath().normalize();

  @ParameterizedTest
  @EnumSource(Doubled.class)
  void whatAnSdkReportsIsDroppedOrBelowIt(Doubled doubled) throws Exception {
    HttpServer backend = backend();
    TracerSettings tracer = new TracerSettings.Builder().logs(false).build();
    try (ObservedPrograms programs = ObservedPrograms.start(tracer, new SpanSettings(1, doubled))) {
      int port = programs.serve(service(backend.getAddress().getPort()));
      send(port);
      awaitRequests(programs);
      List<Span> spans = programs.spans();
      if (doubled == Doubled.DROP) {
        assertThat(spans).isEmpty();
        assertThat(programs.observation().spanCounters().get(SpanCount.REPORTED_BY_SDK))
            .isEqualTo(2 * REQUESTS);
      } else {
        assertThat(spans).filteredOn(span -> span.kind() == SpanKind.SERVER).hasSize(REQUESTS);
        assertThat(spans).allMatch(span -> span.ids().parentId() != 0xff);
        assertThat(spans)
            .extracting(span -> span.ids().traceId())
            .allMatch(trace -> trace.startsWith("000000000000000000000001"));
      }
      assertThat(spans).allMatch(span -> span.resource().service().equals("reported"));
    } finally {
      backend.stop(0);
    }
  }

  private static List<String> service(int backend) {
    return ChildProcess.javaCommand(
        List.of(
            "-javaagent:" + MODULES.resolve("agent/target/sennit-agent.jar") + "=ctxstorage=otel",
            "-javaagent:" + MODULES.resolve("extension/target/opentelemetry-javaagent.jar"),
            "-Dotel.javaagent.extensions="
                + MODULES.resolve("extension/target/sennit-extension.jar"),
            "-Dotel.service.name=reported",
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none"),
        HandOffService.class,
        "" + backend,
        "same",
        "-");
  }

  private static HttpServer backend() throws IOException {
    HttpServer backend =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    backend.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    backend.start();
    return backend;
  }

  private static void send(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int i = 1; i <= REQUESTS; i++) {
        String trace = String.format("%032x", 0x1_0000_0000L + i);
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + i))
                .header("traceparent", "00-" + trace + "-00000000000000ff-01")
                .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
            .isEqualTo(200);
      }
    }
  }

  private static void awaitRequests(ObservedPrograms programs) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      var counts = programs.observation().spanCounters();
      if (counts.getOrDefault(SpanCount.SERVER, 0L) >= REQUESTS
          && counts.getOrDefault(SpanCount.CLIENT, 0L) >= REQUESTS) {
        // Spans whose trace has not shown its root wait for it.
        TimeUnit.SECONDS.sleep(7);
        return;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("counted: " + programs.observation().spanCounters());
  }
}
