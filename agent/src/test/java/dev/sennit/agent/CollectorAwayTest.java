/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.SampledProfile.Sample;
import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with the agent as it is shipped, whose collector goes away and comes back. */
@Requires
class CollectorAwayTest {
  private static final Duration ABSENCE = Duration.ofSeconds(30);

  /** The request after whose receipt the collector dies. */
  private static final int FATAL = 3;

  @TempDir Path folder;

  /** Works a little all the time, until it is told to end. */
  static final class Application {
    private static volatile long sink;

    public static void main(String[] arguments) throws IOException {
      Thread.ofPlatform().daemon().name("work").start(Application::work);
      System.in.read();
    }

    private static void work() {
      while (true) {
        inBurst();
        LockSupport.parkNanos(20_000_000);
      }
    }

    private static void inBurst() {
      long state = sink | 1;
      for (int i = 0; i < 3_000_000; i++) {
        state = state * 6364136223846793005L + i;
      }
      sink = state;
    }
  }

  @Test
  void everyChunkArrivesOnceButForTheOneWhoseAnswerWasLost() throws IOException {
    Path recording = folder.resolve("profile.jfr");
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    Path third = folder.resolve("third");
    ChildProcess collector = collector(0, first, 0);
    int port = Integer.parseInt(collector.expect("port "));
    try (ChildProcess application = application(port, recording)) {
      try (collector) {
        collector.expect("got 3");
        collector.endInput();
        assertThat(collector.waitFor()).isZero();
      }
      LockSupport.parkNanos(ABSENCE.toNanos());
      try (ChildProcess returned = collector(port, second, FATAL)) {
        returned.expect("got " + FATAL);
        assertThat(returned.waitFor()).isEqualTo(137);
      }
      try (ChildProcess last = collector(port, third, 0)) {
        last.expect("got 1");
        application.endInput();
        assertThat(application.waitFor()).isZero();
      }
    }

    Map<String, byte[]> lost = messages(second, FATAL, FATAL);
    Map<String, byte[]> all = new LinkedHashMap<>();
    for (Path place : List.of(first, second, third)) {
      messages(place, 1, Integer.MAX_VALUE)
          .forEach(
              (ids, message) -> {
                byte[] before = all.put(ids, message);
                if (before != null) {
                  assertThat(lost).containsKey(ids);
                  assertThat(message).isEqualTo(before);
                }
              });
    }
    assertThat(messages(third, 1, Integer.MAX_VALUE))
        .containsKeys(lost.keySet().toArray(String[]::new));
    List<Sample> arrived = new ArrayList<>();
    for (byte[] message : all.values()) {
      arrived.addAll(SampledProfile.of(message).samples());
    }
    List<Sample> recorded = SampledProfile.of(recording).samples();
    assertThat(recorded).hasSizeGreaterThan(300);
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(recorded);
    System.out.printf(
        "a collector that goes away: %d messages, all %d samples arrived, once%n",
        all.size(), arrived.size());
  }

  private static ChildProcess collector(int port, Path place, int fatal) {
    return ChildProcess.java(
        ProfileCollector.class, Integer.toString(port), place.toString(), Integer.toString(fatal));
  }

  private ChildProcess application(int port, Path recording) {
    return AgentJvm.start(
        List.of(
            AgentJvm.agent(
                "start,cpu=5ms,chunktime=1s,otlp=http://localhost:%d,jfr,file=%s"
                    .formatted(port, recording)),
            "-Dsennit.otlp.protocol=grpc",
            "-Dsennit.otlp.queue.directory=" + folder.resolve("queue"),
            "-cp",
            ChildProcess.classPath(),
            Application.class.getName()));
  }

  /** The requests with these numbers that a collector got, by the ids of the profiles in them. */
  private static Map<String, byte[]> messages(Path place, int from, int to) throws IOException {
    Map<String, byte[]> messages = new LinkedHashMap<>();
    try (var files = Files.list(place)) {
      for (Path file : files.sorted().toList()) {
        int number = Integer.parseInt(file.getFileName().toString());
        if (from <= number && number <= to) {
          byte[] message = Files.readAllBytes(file);
          byte[] before = messages.put(ids(message), message);
          assertThat(before).as("the same profiles twice from one collector").isNull();
        }
      }
    }
    return messages;
  }

  private static String ids(byte[] message) throws IOException {
    StringBuilder ids = new StringBuilder();
    ExportProfilesServiceRequest.parseFrom(message).getResourceProfilesList().stream()
        .flatMap(resource -> resource.getScopeProfilesList().stream())
        .flatMap(scope -> scope.getProfilesList().stream())
        .forEach(
            profile ->
                ids.append(HexFormat.of().formatHex(profile.getProfileId().toByteArray()))
                    .append(' '));
    return ids.toString();
  }
}
