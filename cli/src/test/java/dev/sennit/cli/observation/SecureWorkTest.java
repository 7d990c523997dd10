/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two services in JVMs that speak HTTPS with each other and with whoever asks, on the real kernel.
 * Every request has a trace and a number of its own, 20 of them at a time.
 */
@Requires(root = true)
final class SecureWorkTest {
  private static final int REQUESTS = 400;
  private static final long FIRST_TRACE = 0x1_0000_0000L;
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"pool", "virtual"})
  void everyExchangeIsInTheTraceOfItsRequest(String threads) throws Exception {
    Path store = store();
    try (ObservedPrograms programs = ObservedPrograms.start(TracerSettings.defaults())) {
      int behind = programs.serve(command(programs, 0, store, threads));
      int before = programs.serve(command(programs, behind, store, threads));
      assertThatAllAreRight("HTTPS, " + threads, programs, before, store);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NettyService,nio",
    "NettyService,epoll",
    "SpringMvcService,jdk",
    "WebFluxService,",
    "HelidonService,",
  })
  void everyExchangeOfAFrameworkIsInTheTraceOfItsRequest(String service, @Nullable String way)
      throws Exception {
    Path store = store();
    String password = new String(SecureService.PASSWORD);
    List<String> keys =
        List.of(
            "-Dserver.ssl.key-store=" + store,
            "-Dserver.ssl.key-store-password=" + password,
            "-Djavax.net.ssl.trustStore=" + store,
            "-Djavax.net.ssl.trustStorePassword=" + password);
    try (ObservedPrograms programs = ObservedPrograms.start(TracerSettings.defaults())) {
      String behind = "https://localhost:" + programs.serve(command(programs, 0, store, "pool"));
      int before = programs.serve(Frameworks.command(programs, keys, service, behind, way));
      assertThatAllAreRight("HTTPS, " + service, programs, before, store);
    }
  }

  private static void assertThatAllAreRight(
      String name, ObservedPrograms programs, int port, Path store) throws Exception {
    send(port, store);
    List<Span> calls = programs.await(2 * REQUESTS, span -> span.kind() == SpanKind.CLIENT);
    List<Span> served = programs.await(3 * REQUESTS, span -> span.kind() == SpanKind.SERVER);

    long right = 0;
    long wrong = 0;
    for (Span span : programs.spans()) {
      long trace = span.ids().traceLow();
      if (trace == FIRST_TRACE + requestOf(span)) {
        right++;
      } else if (trace > FIRST_TRACE && trace <= FIRST_TRACE + REQUESTS) {
        wrong++;
      }
    }
    System.out.printf(
        "%s: %d of %d spans right, %d wrong; %s%n",
        name,
        right,
        5 * REQUESTS,
        wrong,
        programs.observation().kernelCounters().get(Outcome.TLS_WITHOUT_SOCKET));
    assertThat(wrong).isZero();
    assertThat(right).isEqualTo(5 * REQUESTS);
    assertThat(calls).hasSize(2 * REQUESTS);
    assertThatEachIsJoined(calls, served);
    assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
  }

  /** The path of a call is that of its request, with the number of the call behind it. */
  private static void assertThatEachIsJoined(List<Span> calls, List<Span> served) {
    Map<String, Span> servers =
        served.stream().collect(Collectors.toMap(SecureWorkTest::path, Function.identity()));
    for (Span call : calls) {
      Span caller = Objects.requireNonNull(servers.get("/" + requestOf(call)));
      Span callee = Objects.requireNonNull(servers.get(path(call)));
      assertThat(call.ids().parentId()).as(path(call)).isEqualTo(caller.ids().spanId());
      assertThat(callee.ids().parentId()).as(path(call)).isEqualTo(call.ids().spanId());
    }
  }

  private static int requestOf(Span span) {
    return Integer.parseInt(path(span).split("/", -1)[1]);
  }

  private static String path(Span span) {
    String key = span.kind() == SpanKind.CLIENT ? "url.full" : "url.path";
    return span.attributes().get(key) instanceof AttributeValue.Text(String text)
        ? text.replaceFirst("^https?://[^/]*", "")
        : "";
  }

  private static List<String> command(
      ObservedPrograms programs, int backend, Path store, String threads) {
    Path inbound = programs.observation().inboundSocket().orElseThrow();
    return ChildProcess.javaCommand(
        List.of("-javaagent:%s=ctxstorage=otel,inbound=%s".formatted(AGENT, inbound)),
        SecureService.class,
        "" + backend,
        store.toString(),
        threads);
  }

  /** A key, and its certificate once more as one to be trusted, which is all that Tomcat trusts. */
  private Path store() throws Exception {
    Path store = folder.resolve("store.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> command =
        List.of(
            (keytool
                    + " -genkeypair -alias server -keyalg EC -dname CN=localhost"
                    + " -ext san=dns:localhost -storepass "
                    + new String(SecureService.PASSWORD)
                    + " -keystore "
                    + store)
                .split(" "));
    try (ChildProcess made = ChildProcess.start(command)) {
      assertThat(made.waitFor()).as(made.errors()).isZero();
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), SecureService.PASSWORD);
    keys.setCertificateEntry("trusted", keys.getCertificate("server"));
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, SecureService.PASSWORD);
    }
    return store;
  }

  private static void send(int port, Path store) throws Exception {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(SecureService.context(store))
            .build();
    FollowedRequests.send(client, "https://localhost:" + port + "/");
  }
}
