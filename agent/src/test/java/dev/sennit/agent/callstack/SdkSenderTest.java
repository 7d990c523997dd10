/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import dev.sennit.otlp.export.OtlpSender;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that an SDK's exporter may take, with the own sender and a real collector behind it. */
class SdkSenderTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration NONE = Duration.ZERO;

  @TempDir Path queue;

  private final LogCollector collector = LogCollector.start();
  private final int port = collector.port();
  private final String endpoint = collector.endpoint();
  private final List<Integer> handed = new ArrayList<>();
  private final Queue<CompletableFuture<Boolean>> outcomes = new ArrayDeque<>();
  private final List<String> log = new ArrayList<>();
  private boolean present = true;

  @AfterEach
  void close() {
    collector.close();
  }

  @Test
  void whatTheSdkDeliversGoesNoOtherWay() throws IOException {
    try (Exporter exporter = open(LONG, LONG)) {
      sendAll(exporter, 1, 2, 3);
      assertThat(exporter.counters().sent()).isEqualTo(3);
    }
    assertThat(handed).containsExactly(1, 2, 3);
    assertThat(collector.hasNothing()).isTrue();
    assertThat(log).containsExactly("call stacks go through the exporter of OpenTelemetry's SDK");
  }

  @Test
  void withoutAnSdkEverythingGoesTheOwnWay() throws IOException {
    present = false;
    try (Exporter exporter = open(LONG, LONG)) {
      sendAll(exporter, 1, 2);
    }
    assertThat(handed).isEmpty();
    assertThat(collected(2)).containsExactly(1, 2);
    assertThat(log).isEmpty();
  }

  @Test
  void whatTheSdkFailsToDeliverArrivesOnceAndItIsLeftAloneForAWhile() throws IOException {
    outcomes.add(CompletableFuture.completedFuture(true));
    outcomes.add(CompletableFuture.completedFuture(false));
    try (Exporter exporter = open(LONG, LONG)) {
      sendAll(exporter, 1, 2, 3, 4);
      assertThat(exporter.counters().sent()).isEqualTo(4);
    }
    assertThat(handed).containsExactly(1, 2);
    assertThat(collected(3)).containsExactly(2, 3, 4);
    assertThat(collector.hasNothing()).isTrue();
    assertThat(log).last().asString().contains("failed; call stacks go their own way");
  }

  @Test
  void afterARestTheSdkIsTriedAgain() throws IOException {
    outcomes.add(CompletableFuture.failedFuture(new IllegalStateException("shut down")));
    try (Exporter exporter = open(LONG, NONE)) {
      sendAll(exporter, 1, 2, 3);
    }
    assertThat(handed).containsExactly(1, 2, 3);
    assertThat(collected(1)).containsExactly(1);
    assertThat(collector.hasNothing()).isTrue();
  }

  @Test
  void anSdkThatDoesNotAnswerGetsNoSecondMessageBeforeItDoes() throws IOException {
    CompletableFuture<Boolean> late = new CompletableFuture<>();
    outcomes.add(late);
    try (Exporter exporter = open(Duration.ofMillis(10), NONE)) {
      sendAll(exporter, 1, 2, 3);
      assertThat(handed).containsExactly(1);
      late.complete(true);
      sendAll(exporter, 4);
    }
    assertThat(handed).containsExactly(1, 4);
    assertThat(collected(3)).containsExactly(1, 2, 3);
  }

  @Test
  void whenTheCollectorIsAwayForBothMessagesWaitOnDisk() throws IOException {
    outcomes.add(CompletableFuture.completedFuture(false));
    collector.close();
    try (Exporter exporter = open(LONG, LONG)) {
      exporter.export(message(1));
      exporter.export(message(2));
      assertThat(exporter.flush(Duration.ofMillis(1))).isFalse();
    }
    // The next process, in which there is no SDK.
    present = false;
    try (LogCollector again = LogCollector.startAt(port);
        Exporter exporter = open(LONG, LONG)) {
      sendAll(exporter, 3);
      assertThat(IntStream.range(0, 3).mapToObj(_ -> number(again.take())))
          .containsExactlyInAnyOrder(1, 2, 3);
      assertThat(again.hasNothing()).isTrue();
    }
    assertThat(handed).containsExactly(1);
  }

  @Test
  void anEndDoesNotWaitForTheSdk() throws IOException {
    outcomes.add(new CompletableFuture<>());
    try (Exporter exporter = open(LONG, LONG)) {
      exporter.export(message(1));
    }
    assertThat(outcomes).isEmpty();
  }

  private Exporter open(Duration patience, Duration rest) throws IOException {
    Map<String, String> environment =
        Map.of(
            "SPLUNK_PROFILER_LOGS_ENDPOINT",
            endpoint,
            "SENNIT_OTLP_QUEUE_DIRECTORY",
            queue.toString());
    ExportSettings settings = CallStackSettings.read(environment::get, _ -> null, _ -> {}).export();
    return Exporter.open(settings, own -> sender(own, patience, rest), _ -> {});
  }

  private OtlpSender sender(OtlpSender own, Duration patience, Duration rest) {
    return new SdkSender(own, this::handOver, patience, rest, log::add);
  }

  private @Nullable Future<Boolean> handOver(byte[] message) {
    if (!present) {
      return null;
    }
    try {
      handed.add(number(ExportLogsServiceRequest.parseFrom(message)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    CompletableFuture<Boolean> outcome = outcomes.poll();
    return outcome == null ? CompletableFuture.completedFuture(true) : outcome;
  }

  private static void sendAll(Exporter exporter, int... numbers) {
    for (int number : numbers) {
      exporter.export(message(number));
      assertThat(exporter.flush(LONG)).isTrue();
    }
  }

  private List<Integer> collected(int count) {
    return IntStream.range(0, count).mapToObj(_ -> number(collector.take())).toList();
  }

  private static byte[] message(int number) {
    return ExportLogsServiceRequest.newBuilder()
        .addResourceLogs(ResourceLogs.newBuilder().setSchemaUrl(Integer.toString(number)))
        .build()
        .toByteArray();
  }

  private static int number(ExportLogsServiceRequest request) {
    return Integer.parseInt(request.getResourceLogs(0).getSchemaUrl());
  }
}
