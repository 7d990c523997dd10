/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.sennit.store.database.StoreException;
import dev.sennit.store.query.SqlRows;
import dev.sennit.viewer.view.LiveProcesses;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is observed and what is received, in one store and on one page. */
class LocalHostTest {
  private static final String FIRST = "0a".repeat(16);
  private static final String LAST = "0b".repeat(16);
  private static final String SPAN = "0c".repeat(8);

  private static final LiveProcesses NOBODY =
      new LiveProcesses() {
        @Override
        public Snapshot snapshot() {
          return new Snapshot(List.of(), false, 0);
        }

        @Override
        public void rest() {}
      };

  @TempDir Path folder;

  private static LocalHost open() throws IOException {
    return LocalHost.open(anywhere(), NOBODY, Optional.empty(), line -> {});
  }

  private static LocalSettings anywhere() {
    LocalSettings usual = LocalSettings.temporary();
    return new LocalSettings(
        Optional.empty(),
        usual.store(),
        Optional.of(Place.preferably(0)),
        Place.preferably(0),
        Place.preferably(0));
  }

  private static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static List<List<Object>> ask(LocalHost host, String sql) throws Exception {
    host.flush();
    List<List<Object>> rows = new ArrayList<>();
    try (SqlRows answer = host.queries().sql().ask(sql, Duration.ofSeconds(10))) {
      for (@Nullable List<@Nullable Object> row = answer.next(); row != null; row = answer.next()) {
        rows.add(row.stream().map(each -> Objects.requireNonNullElse(each, "")).toList());
      }
    }
    return rows;
  }

  private static void post(LocalHost host, byte[] request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(host.otlp() + "/v1development/profiles"))
                      .version(HttpClient.Version.HTTP_1_1)
                      .header("Content-Type", "application/x-protobuf")
                      .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(200);
    }
  }

  /** One sample in a span of the trace, by this process, which does not say what it is called. */
  private static byte[] profile(String trace) throws IOException {
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    return ExportProfilesServiceRequest.newBuilder()
        .setDictionary(
            ProfilesDictionary.newBuilder()
                .addStringTable("")
                .addStringTable("cpu")
                .addStringTable("count")
                .addStackTable(Stack.getDefaultInstance())
                .addLinkTable(Link.getDefaultInstance())
                .addLinkTable(Link.newBuilder().setTraceId(bytes(trace)).setSpanId(bytes(SPAN))))
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(
                            attribute(
                                "service.name",
                                AnyValue.newBuilder().setStringValue("unknown_service:java")))
                        .addAttributes(
                            attribute("host.name", AnyValue.newBuilder().setStringValue(host)))
                        .addAttributes(
                            attribute(
                                "process.pid",
                                AnyValue.newBuilder().setIntValue(ProcessHandle.current().pid()))))
                .addScopeProfiles(
                    ScopeProfiles.newBuilder()
                        .addProfiles(
                            Profile.newBuilder()
                                .setSampleType(
                                    ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
                                .setTimeUnixNano(1)
                                .setDurationNano(10)
                                .addSamples(
                                    Sample.newBuilder()
                                        .setLinkIndex(1)
                                        .addValues(1)
                                        .addTimestampsUnixNano(5)))))
        .build()
        .toByteArray();
  }

  @Test
  void whatIsObservedIsKept() throws Exception {
    try (LocalHost host = open()) {
      host.onSpans(
          ExportTraceServiceRequest.newBuilder()
              .addResourceSpans(
                  ResourceSpans.newBuilder()
                      .addScopeSpans(
                          ScopeSpans.newBuilder()
                              .addSpans(
                                  Span.newBuilder()
                                      .setTraceId(bytes(FIRST))
                                      .setSpanId(bytes(SPAN))
                                      .setName("GET"))))
              .build()
              .toByteArray());

      assertThat(ask(host, "SELECT trace_id, span_id, name FROM spans"))
          .containsExactly(List.of(FIRST, SPAN, "GET"));
      assertThat(host.dropped()).isZero();
    }
  }

  @Test
  void samplesAreOfTheTraceAsItIsCalledInTheEndAndOfTheProcessAsItsSpansCallIt() throws Exception {
    try (LocalHost host = open()) {
      host.onName(FIRST, LAST);
      post(host, profile(FIRST));

      List<List<Object>> samples = ask(host, "SELECT trace_id, span_id, service FROM samples");
      assertThat(samples).hasSize(1);
      assertThat(samples.getFirst().subList(0, 2)).containsExactly(LAST, SPAN);
      assertThat((String) samples.getFirst().get(2)).doesNotStartWith("unknown_service");
    }
  }

  /** As of a container, in which other processes have the numbers of ours. */
  @Test
  void samplesOfAnotherInstanceAreNotOfTheProcessThatHasItsNumber() throws Exception {
    ExportProfilesServiceRequest.Builder request =
        ExportProfilesServiceRequest.parseFrom(profile(FIRST)).toBuilder();
    request
        .getResourceProfilesBuilder(0)
        .getResourceBuilder()
        .addAttributes(
            attribute("service.instance.id", AnyValue.newBuilder().setStringValue("another")));
    try (LocalHost host = open()) {
      post(host, request.build().toByteArray());

      assertThat(ask(host, "SELECT service FROM samples"))
          .containsExactly(List.of("unknown_service:java"));
    }
  }

  @Test
  void thePageIsShown() throws Exception {
    try (LocalHost host = open();
        HttpClient client = HttpClient.newHttpClient()) {
      URI page = host.page().orElseThrow();
      String text =
          client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
      assertThat(text).contains("<sennit-app>");
      assertThat(host.describe())
          .contains(page.toString(), host.otlp().toString(), "sennit.duckdb");
    }
  }

  @Test
  void questionsAreAnsweredWhileTheStoreIsInUseAndAfterwards() throws Exception {
    Path file = folder.resolve("sennit.duckdb");
    LocalSettings anywhere = anywhere();
    LocalSettings settings =
        new LocalSettings(
            Optional.of(file),
            anywhere.store(),
            Optional.empty(),
            anywhere.http(),
            anywhere.grpc());
    String sql =
        "SELECT 1 AS one, 'a', NULL, true, 1.5::DOUBLE UNION ALL SELECT 2, 'b', 'c', false, 2";
    List<String> said = new ArrayList<>();
    try (LocalHost host = LocalHost.open(settings, NOBODY, Optional.empty(), said::add)) {
      assertThat(answer(file, sql))
          .containsExactly("one", "[1, a, null, true, 1.5]", "[2, b, c, false, 2.0]");
      assertThatThrownBy(() -> answer(file, "SELECT no FROM spans"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("\"no\"");
      assertThatThrownBy(() -> answer(file, "DELETE FROM spans"))
          .hasMessageContaining("only questions are answered");
      assertThat(host.page()).isEmpty();
    }
    assertThat(answer(file, sql)).hasSize(3);
    assertThat(said).isEmpty();
    // As if it had been killed.
    Files.writeString(folder.resolve("sennit.duckdb.sql"), "");
    assertThat(answer(file, sql)).hasSize(3);
  }

  private static List<String> answer(Path file, String sql) {
    List<String> lines = new ArrayList<>();
    try (Rows rows = StoreQuestions.ask(file, sql, Duration.ofSeconds(10))) {
      lines.add(rows.columns().getFirst().name());
      for (@Nullable List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
        lines.add(row.toString());
      }
    }
    return lines;
  }

  @Test
  void aPlaceThatIsTakenIsLeftToItsOwnerUnlessItIsInsistedOn() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      LocalSettings settings =
          new LocalSettings(
              Optional.of(folder.resolve("sennit.duckdb")),
              LocalSettings.temporary().store(),
              Optional.of(Place.preferably(port)),
              Place.preferably(port),
              Place.preferably(0));
      try (LocalHost host = LocalHost.open(settings, NOBODY, Optional.empty(), line -> {})) {
        assertThat(host.page().orElseThrow().getPort()).isNotEqualTo(port);
        assertThat(host.otlp().getPort()).isNotEqualTo(port);
      }
      Place insisted = new Place(Place.preferably(port).address(), true);
      assertThatThrownBy(
              () ->
                  LocalHost.open(
                      settings.withPage(Optional.of(insisted)),
                      NOBODY,
                      Optional.empty(),
                      line -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(":" + port);
      // The file is free again.
      LocalHost.open(settings, NOBODY, Optional.empty(), line -> {}).close();
    }
  }
}
