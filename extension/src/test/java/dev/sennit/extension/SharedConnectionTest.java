/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.agent.callstack.LogCollector;
import dev.sennit.agent.callstack.LogCollector.Arrival;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.io.File;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Call stacks of the agent and logs of an SDK, as a collector sees their connections. */
@Requires
class SharedConnectionTest {
  private static final int DUMPS = 5;

  @TempDir Path queue;

  @ParameterizedTest
  @ValueSource(strings = {"sdk", "agent"})
  void callStacksGoOverTheConnectionOfTheSdk(String telemetry) {
    try (LogCollector collector = LogCollector.start();
        ChildProcess application = start(telemetry, collector, List.of())) {
      String span = application.expect("span ");
      SocketAddress sdks = connectionOfSdk(collector, application);
      Set<SocketAddress> connections = new HashSet<>();
      List<Arrival> dumps = new ArrayList<>();
      // What was on its way before the SDK was there went its own way.
      Arrival arrival = collector.arrival();
      while (!arrival.connection().equals(sdks)) {
        arrival = collector.arrival();
      }
      for (int i = 0; i < DUMPS; i++) {
        arrival = collector.arrival();
        connections.add(arrival.connection());
        dumps.add(arrival);
      }
      assertThat(connectionOfSdk(collector, application)).isEqualTo(sdks);
      assertThat(connections).containsExactly(sdks);
      for (Arrival dump : dumps) {
        assertThat(isDump(dump)).isTrue();
        assertThat(
                LogCollector.records(dump.request()).stream()
                    .filter(record -> record.getBody().getStringValue().startsWith("\"main\"")))
            .singleElement()
            .satisfies(main -> assertThat(spanOf(main)).isEqualTo(span));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Dsplunk.profiler.sdk.exporter=false",
        "-Dsennit.otlp.headers=x-tenant=other",
        "-Dsplunk.profiler.logs.endpoint=http://127.0.0.1:PORT"
      })
  void callStacksGoTheirOwnWayWhereTheyAreToldToOrGoElsewhere(String option) {
    try (LogCollector collector = LogCollector.start();
        ChildProcess application =
            start(
                "sdk",
                collector,
                List.of(option.replace("PORT", Integer.toString(collector.port()))))) {
      application.expect("span ");
      SocketAddress sdks = connectionOfSdk(collector, application);
      for (int i = 0; i < DUMPS; i++) {
        Arrival arrival = collector.arrival();
        assertThat(isDump(arrival)).isTrue();
        assertThat(arrival.connection()).isNotEqualTo(sdks);
      }
    }
  }

  @Test
  void anExporterThatIsNotOfOtlpIsNotUsed() {
    try (LogCollector collector = LogCollector.start();
        ChildProcess application = start("sdk", collector, List.of("-Dotel.logs.exporter=none"))) {
      application.expect("span ");
      for (int i = 0; i < DUMPS; i++) {
        assertThat(isDump(collector.arrival())).isTrue();
      }
    }
  }

  @Test
  void callStacksGoTheirOwnWayWhenTheSdkHasEnded() {
    try (LogCollector collector = LogCollector.start();
        ChildProcess application = start("sdk", collector, List.of())) {
      application.expect("span ");
      SocketAddress sdks = connectionOfSdk(collector, application);
      application.send("close");
      application.expect("closed");
      Map<Instant, Boolean> bySdk = new HashMap<>();
      int afterwards = 0;
      int again = 0;
      while (afterwards < DUMPS) {
        Arrival arrival = collector.arrival();
        if (isDump(arrival)) {
          boolean sdk = arrival.connection().equals(sdks);
          @Nullable Boolean before = bySdk.putIfAbsent(timeOf(arrival), sdk);
          if (before != null) {
            // The one that was under way when the SDK ended, and whose answer ended with it. Which
            // of two connections is heard first is up to the collector's threads.
            assertThat(sdk).as("came by the SDK, after %s", before).isNotEqualTo(before);
            again++;
          }
          afterwards += sdk ? 0 : 1;
        }
      }
      assertThat(again).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void whatCouldNotBeSentByEitherWaitsOnDiskAndArrivesOnce() {
    LogCollector first = LogCollector.start();
    int port = first.port();
    try (ChildProcess application =
        start("sdk", first, List.of("-Dotel.exporter.otlp.timeout=2000"))) {
      application.expect("span ");
      SocketAddress sdks = connectionOfSdk(first, application);
      Arrival arrival = first.arrival();
      while (!arrival.connection().equals(sdks)) {
        arrival = first.arrival();
      }
      first.close();
      awaitWaiting();
      Instant back = Instant.now();
      try (LogCollector second = LogCollector.startAt(port)) {
        List<Instant> times = new ArrayList<>();
        for (int i = 0; i < DUMPS; i++) {
          Arrival later = second.arrival();
          assertThat(isDump(later)).isTrue();
          times.add(timeOf(later));
        }
        assertThat(times).doesNotHaveDuplicates().anyMatch(back::isAfter);
      }
    }
  }

  /** Waits until messages wait. */
  private void awaitWaiting() {
    while (messages(queue.toFile()) < 2) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static int messages(File folder) {
    int count = 0;
    for (File file : Objects.requireNonNullElse(folder.listFiles(), new File[0])) {
      count += file.getName().endsWith(".otlp") ? 1 : messages(file);
    }
    return count;
  }

  private ChildProcess start(String telemetry, LogCollector collector, List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                AgentJvm.agent(""),
                "-Dsplunk.profiler.enabled=true",
                "-Dsplunk.profiler.call.stack.interval=200",
                "-Dsennit.otlp.queue.directory=" + queue,
                "-Dotel.exporter.otlp.endpoint=" + collector.endpoint(),
                "-Dotel.exporter.otlp.protocol=grpc",
                "-Dotel.blrp.schedule.delay=50",
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none"));
    options.addAll(more);
    if (telemetry.equals("sdk")) {
      return ExtendedJvm.withSdk(options, LoggingApplication.class, "sdk");
    }
    options.add("-javaagent:" + ExtendedJvm.OPENTELEMETRY_AGENT);
    options.add("-Dotel.javaagent.extensions=" + ExtendedJvm.EXTENSION);
    return ExtendedJvm.withApi(options, LoggingApplication.class, "agent");
  }

  /** Lets the application log a line, and waits for it. */
  private static SocketAddress connectionOfSdk(LogCollector collector, ChildProcess application) {
    application.send("a line");
    Arrival arrival = collector.arrival();
    while (isDump(arrival)) {
      arrival = collector.arrival();
    }
    assertThat(LogCollector.records(arrival.request()))
        .singleElement()
        .extracting(record -> record.getBody().getStringValue())
        .isEqualTo("a line");
    return arrival.connection();
  }

  private static boolean isDump(Arrival arrival) {
    ScopeLogs scope = arrival.request().getResourceLogs(0).getScopeLogs(0);
    return scope.getScope().getName().equals("otel.profiling");
  }

  private static String spanOf(LogRecord record) {
    return HexFormat.of().formatHex(record.getSpanId().toByteArray());
  }

  private static Instant timeOf(Arrival arrival) {
    long nanos = LogCollector.records(arrival.request()).getFirst().getTimeUnixNano();
    return Instant.EPOCH.plusNanos(nanos);
  }
}
