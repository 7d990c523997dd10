/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent and the extension in one JVM, each with its copy of the context classes. The agent's
 * alone has native access, and does for the other whatever needs it.
 */
@Requires
class AgentAndSdkTest {
  /** An application that is in a span when it has printed it. */
  static final class Application {
    public static void main(String[] arguments) throws IOException {
      OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
      Span span = sdk.getTracer("test").spanBuilder("one").startSpan();
      try (Scope _ = span.makeCurrent()) {
        System.out.println("span " + span.getSpanContext().getSpanId());
        System.in.read();
      }
      span.end();
    }
  }

  private static ChildProcess start(String nativeAccess) {
    return ExtendedJvm.withSdk(
        List.of(
            AgentJvm.agent("ctxstorage=otel"),
            "--illegal-native-access=" + nativeAccess,
            "-Dotel.service.name=checkout",
            "-Dotel.resource.attributes=deployment.environment.name=test",
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none"),
        Application.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"warn", "deny"})
  void theResourceOfTheSdkIsThatOfTheProcessAndTheJvmHasNothingToSay(String nativeAccess)
      throws IOException {
    try (ChildProcess application = start(nativeAccess)) {
      String span = application.expect("span ");

      ProcessContext context = ExtendedJvm.contextOf(application);
      assertThat(context.resource())
          .containsEntry("service.name", AttributeValue.of("checkout"))
          .containsEntry("deployment.environment.name", AttributeValue.of("test"))
          .containsEntry("telemetry.sdk.language", AttributeValue.of("java"));
      assertThat(records(application.pid())).hasSize(1);
      assertThat(spans(application.pid(), context)).containsExactly(span);

      application.send("");
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors().lines())
          .singleElement()
          .asString()
          .matches("sennit: agent \\d\\S+: contexts: otel");
    }
  }

  private static List<String> spans(int pid, ProcessContext context) {
    try (ThreadRecordReader reader = ThreadRecordReader.open(pid, context)) {
      return ((ThreadReading.Threads) reader.read())
          .threads().stream().map(ThreadRecord::spanId).map("%016x"::formatted).toList();
    }
  }

  /** The mappings that bear the name of a process record. */
  private static List<String> records(int pid) throws IOException {
    try (var lines = Files.lines(Path.of("/proc", Integer.toString(pid), "maps"))) {
      return lines.filter(line -> line.matches(".*[:\\[]OTEL_CTX\\b.*")).toList();
    }
  }
}
