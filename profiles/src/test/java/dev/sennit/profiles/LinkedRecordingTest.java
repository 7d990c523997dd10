/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.Converted.Observation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real recordings in which threads sleep within spans: each sleep is an event with a thread and a
 * time, and belongs to the span that it is in.
 */
class LinkedRecordingTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String FIRST = "b7ad6b7169203331";
  private static final String SECOND = "00f067aa0ba902b7";

  @TempDir Path folder;

  @Test
  void nestedScopesLinkToTheInnermostAcrossChunks() throws Exception {
    Converted converted =
        record(
            () -> {
              sleepOutside();
              ScopeEvent outer = scope(FIRST);
              outer.begin();
              sleepInFirst();
              ScopeEvent inner = scope(SECOND);
              inner.begin();
              sleepInSecond();
              // The start of another recording ends the chunk: the sleeps are in an earlier one.
              rotate();
              sleepInSecond();
              inner.commit();
              sleepInFirst();
              outer.commit();
              sleepOutside();
              return null;
            });
    assertLinked(converted, 2);
  }

  @Test
  void aVirtualThreadHasItsOwnScopes() throws Exception {
    Converted converted =
        record(
            () -> {
              Thread thread =
                  Thread.ofVirtual()
                      .name("virtual one")
                      .start(
                          () -> {
                            ScopeEvent scope = scope(FIRST);
                            scope.begin();
                            sleepInFirst();
                            scope.commit();
                            sleepOutside();
                          });
              ScopeEvent scope = scope(SECOND);
              scope.begin();
              thread.join();
              sleepInSecond();
              scope.commit();
              return thread.threadId();
            });
    assertLinked(converted, 1);
    assertThat(converted.observations(ProfileType.SLEEP))
        .filteredOn(sleep -> sleep.hasFrame("sleepInFirst"))
        .allSatisfy(
            sleep -> {
              assertThat(sleep.attributes()).containsEntry("thread.name", "virtual one");
              assertThat((Long) sleep.attributes().get("thread.id")).isPositive();
            });
  }

  @Test
  void theScopesOfOpenTelemetrysContributionLink() throws Exception {
    Converted converted =
        record(
            () -> {
              sleepOutside();
              ContribScope outer = new ContribScope(TRACE, FIRST);
              outer.begin();
              sleepInFirst();
              ContribScope inner = new ContribScope(TRACE, SECOND);
              inner.begin();
              sleepInSecond();
              inner.commit();
              outer.commit();
              sleepOutside();
              return null;
            });
    assertLinked(converted, 1);
  }

  @Test
  void aContextOfSplunkHoldsUntilTheNextOfItsThreadAcrossChunks() throws Exception {
    Converted converted =
        record(
            () -> {
              sleepOutside();
              new ContextAttached(TRACE, FIRST).commit();
              sleepInFirst();
              rotate();
              sleepInFirst();
              new ContextAttached(TRACE, SECOND).commit();
              sleepInSecond();
              new ContextAttached("00000000000000000000000000000000", "0000000000000000").commit();
              sleepOutside();
              new ContextAttached(TRACE, FIRST).commit();
              sleepInFirst();
              new ContextAttached(null, null).commit();
              sleepOutside();
              return null;
            });
    assertLinked(converted, 1);
  }

  @Test
  void recordingsOfOneJvmShareTheirSpans() throws Exception {
    Path first = folder.resolve("first.jfr");
    Path second = folder.resolve("second.jfr");
    ScopeEvent scope;
    try (Recording recording = recording()) {
      recording.start();
      scope = scope(FIRST);
      scope.begin();
      sleepInFirst();
      recording.stop();
      recording.dump(first);
    }
    try (Recording recording = recording()) {
      recording.start();
      sleepInFirst();
      scope.commit();
      sleepOutside();
      recording.stop();
      recording.dump(second);
    }
    assertLinked(Converted.of(first, second), 2);
  }

  private static void assertLinked(Converted converted, int least) {
    List<Observation> sleeps =
        converted.observations(ProfileType.SLEEP).stream()
            .filter(sleep -> sleep.hasFrame("LinkedRecordingTest.pause"))
            .toList();
    assertThat(sleeps)
        .filteredOn(s -> s.hasFrame("sleepInFirst"))
        .hasSizeGreaterThanOrEqualTo(least);
    assertThat(sleeps)
        .allSatisfy(
            sleep -> {
              String expected =
                  sleep.hasFrame("sleepInFirst")
                      ? TRACE + "/" + FIRST
                      : sleep.hasFrame("sleepInSecond") ? TRACE + "/" + SECOND : "";
              assertThat(sleep.link()).isEqualTo(expected);
            });
  }

  private Converted record(Callable<?> work) throws Exception {
    Path file = folder.resolve("linked.jfr");
    try (Recording recording = recording()) {
      recording.start();
      work.call();
      recording.stop();
      recording.dump(file);
    }
    return Converted.of(file);
  }

  private static Recording recording() {
    Recording recording = new Recording();
    recording.enable("jdk.ThreadSleep").withThreshold(Duration.ZERO).withStackTrace();
    recording.enable("jdk.JVMInformation");
    return recording;
  }

  private static void rotate() throws IOException {
    try (Recording another = new Recording()) {
      another.start();
    }
  }

  private static ScopeEvent scope(String spanId) {
    return new ScopeEvent(
        Long.parseUnsignedLong(TRACE, 0, 16, 16),
        Long.parseUnsignedLong(TRACE, 16, 32, 16),
        Long.parseUnsignedLong(spanId, 16));
  }

  private static void sleepOutside() {
    pause();
  }

  private static void sleepInFirst() {
    pause();
  }

  private static void sleepInSecond() {
    pause();
  }

  /** To sleep for no time at all is an event, too. */
  private static void pause() {
    try {
      Thread.sleep(0);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Name("io.opentelemetry.context.Scope")
  @StackTrace(false)
  @SuppressWarnings("UnusedVariable")
  private static final class ContribScope extends Event {
    private final String traceId;
    private final String spanId;

    ContribScope(String traceId, String spanId) {
      this.traceId = traceId;
      this.spanId = spanId;
    }
  }

  @Name("otel.ContextAttached")
  @StackTrace(false)
  @SuppressWarnings("UnusedVariable")
  private static final class ContextAttached extends Event {
    private final @Nullable String traceId;
    private final @Nullable String spanId;

    ContextAttached(@Nullable String traceId, @Nullable String spanId) {
      this.traceId = traceId;
      this.spanId = spanId;
    }
  }
}
