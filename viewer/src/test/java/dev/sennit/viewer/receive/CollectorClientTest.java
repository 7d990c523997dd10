/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.query.SqlRows;
import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenTelemetry's Collector sends on what it has got, and all of it is in the store. */
@EnabledIfEnvironmentVariable(
    named = CollectorClientTest.TOOLS,
    matches = ".+",
    disabledReason = "only where Go is installed")
class CollectorClientTest {
  static final String TOOLS = "SENNIT_INTEROP_TOOLS";

  private static final Pattern ENDPOINT = Pattern.compile("\"endpoint\":\"([^\"]+)\"");
  private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
  private static final int SPANS = 5_000;
  private static final int LINES = 5_000;

  @ParameterizedTest
  @ValueSource(strings = {"otlp_http", "otlp_http, encoding: json", "otlp_grpc"})
  void whatACollectorSendsIsThere(String exporter) throws Exception {
    try (TelemetryStore store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
        OtlpReceiver receiver = OtlpReceiver.start(ReceiverSettings.onLoopback(0, 0), store);
        ChildProcess collector = ChildProcess.start(command(exporter, receiver))) {
      String address = "http://" + address(collector);
      post(address + "/v1/traces", spans().toByteArray());
      post(address + "/v1/logs", lines().toByteArray());
      post(address + "/v1development/profiles", profile().toByteArray());

      await(store, "SELECT count(DISTINCT span_id) FROM spans WHERE name = 'work'", SPANS);
      await(store, "SELECT count(DISTINCT body) FROM logs", LINES);
      await(store, "SELECT count(*) FROM samples WHERE type = 'cpu'", 1);
    }
  }

  private static List<String> command(String exporter, OtlpReceiver receiver) {
    boolean grpc = exporter.startsWith("otlp_grpc");
    String endpoint =
        grpc
            ? "endpoint: \"localhost:" + receiver.grpcAddress().getPort() + "\""
            : "endpoint: \"http://localhost:" + receiver.httpAddress().getPort() + "\"";
    String name = exporter.replaceFirst(",.*", "");
    String more = exporter.substring(name.length());
    String configuration =
        """
        receivers:
          otlp:
            protocols:
              http: {endpoint: "127.0.0.1:0"}
        exporters:
          %s: {%s, tls: {insecure: true}%s}
        service:
          pipelines:
            traces: {receivers: [otlp], exporters: [%s]}
            logs: {receivers: [otlp], exporters: [%s]}
            profiles: {receivers: [otlp], exporters: [%s]}
        """
            .formatted(name, endpoint, more, name, name, name);
    return List.of(
        Path.of(Objects.requireNonNull(System.getenv(TOOLS)), "collector").toString(),
        "--config=yaml:" + configuration,
        "--feature-gates=+service.profilesSupport");
  }

  /** Where the Collector listens, once it does. */
  private static String address(ChildProcess collector) {
    String address = "";
    String line = "";
    while (!line.contains("Everything is ready")) {
      line = collector.readLine();
      Matcher endpoint = ENDPOINT.matcher(line);
      if (endpoint.find() && line.contains("HTTP")) {
        address = endpoint.group(1);
      }
    }
    return address;
  }

  private static void post(String address, byte[] request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(address))
                      .header("Content-Type", "application/x-protobuf")
                      .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(200);
    }
  }

  private static void await(TelemetryStore store, String question, long wanted) throws Exception {
    long end = System.nanoTime() + PATIENCE;
    long found = ask(store, question);
    while (found < wanted && System.nanoTime() < end) {
      Thread.sleep(50);
      found = ask(store, question);
    }
    assertThat(found).as(question).isEqualTo(wanted);
  }

  private static long ask(TelemetryStore store, String question) throws Exception {
    store.flush();
    try (SqlRows rows = store.queries().sql().ask(question, Duration.ofSeconds(10))) {
      Object count = Objects.requireNonNull(rows.next()).getFirst();
      return ((Number) Objects.requireNonNull(count)).longValue();
    }
  }

  private static ByteString bytes(int length, long number) {
    return ByteString.copyFrom(ByteBuffer.allocate(length).putLong(length - 8, number).array());
  }

  private static ExportTraceServiceRequest spans() {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder();
    for (int i = 1; i <= SPANS; i++) {
      scope.addSpans(
          Span.newBuilder()
              .setTraceId(bytes(16, i))
              .setSpanId(bytes(8, i))
              .setName("work")
              .setStartTimeUnixNano(i)
              .setEndTimeUnixNano(i + 1L));
    }
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
        .build();
  }

  private static ExportLogsServiceRequest lines() {
    ScopeLogs.Builder scope = ScopeLogs.newBuilder();
    for (int i = 1; i <= LINES; i++) {
      scope.addLogRecords(
          LogRecord.newBuilder()
              .setTimeUnixNano(i)
              .setBody(AnyValue.newBuilder().setStringValue("line " + i)));
    }
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(ResourceLogs.newBuilder().addScopeLogs(scope))
        .build();
  }

  private static ExportProfilesServiceRequest profile() {
    return ExportProfilesServiceRequest.newBuilder()
        .setDictionary(
            ProfilesDictionary.newBuilder()
                .addStringTable("")
                .addStringTable("cpu")
                .addStringTable("count")
                .addStackTable(Stack.getDefaultInstance()))
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .addScopeProfiles(
                    ScopeProfiles.newBuilder()
                        .addProfiles(
                            Profile.newBuilder()
                                .setSampleType(
                                    ValueType.newBuilder().setTypeStrindex(1).setUnitStrindex(2))
                                .setTimeUnixNano(1)
                                .setDurationNano(10)
                                .addSamples(
                                    Sample.newBuilder().addValues(1).addTimestampsUnixNano(5)))))
        .build();
  }
}
