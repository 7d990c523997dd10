/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of HotSpot: what the JDK's own reader finds in them, this reader finds. */
final class HotSpotRecordingTest {
  @TempDir static Path folder;
  private static Path recording;

  @BeforeAll
  static void record() throws IOException {
    recording = Recordings.hotSpot(folder);
  }

  @Test
  void everyFieldOfEveryEventIsAsTheJdkReadsIt() throws IOException {
    Map<String, Integer> counts = JdkComparison.assertSame(recording);
    assertThat(counts)
        .containsKeys(
            "jdk.ExecutionSample",
            "jdk.ObjectAllocationSample",
            "jdk.ObjectAllocationInNewTLAB",
            "jdk.ObjectAllocationOutsideTLAB",
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.ThreadPark",
            "jdk.ThreadSleep",
            "jdk.SocketRead",
            "jdk.SocketWrite",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.ActiveSetting",
            "jdk.JVMInformation",
            "jdk.ActiveRecording");
  }

  @Test
  void aRecordingOfJdk17IsReadAsTheJdkReadsIt() throws IOException {
    Optional<Path> jdk = Recordings.jdk(17);
    assumeTrue(jdk.isPresent(), "needs a JDK 17");
    Path older = Recordings.hotSpot(folder, jdk.get(), "hotspot17.jfr");
    assertThat(JdkComparison.assertSame(older))
        .containsKeys("jdk.ExecutionSample", "jdk.ObjectAllocationSample", "jdk.ThreadPark");
  }

  @Test
  void timesAreThoseOfTheJdkWithoutItsRounding() throws IOException {
    List<Instant> expectedStarts = new ArrayList<>();
    List<Long> expectedDurations = new ArrayList<>();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        if (event.getEventType().getName().equals("jdk.ThreadPark")) {
          expectedStarts.add(event.getStartTime());
          expectedDurations.add(event.getDuration().toNanos());
        }
      }
    }
    List<Instant> starts = new ArrayList<>();
    List<Long> durations = new ArrayList<>();
    try (JfrFile file = JfrFile.open(recording)) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          reader.subscribe("jdk.ThreadPark", "startTime", "duration");
          reader.forEachEvent(
              event -> {
                starts.add(Instant.EPOCH.plusNanos(chunk.nanosOf(event.longValue(0))));
                durations.add(chunk.durationOf(event.longValue(1)));
              });
        }
      }
    }
    assertThat(starts).hasSameSizeAs(expectedStarts).isNotEmpty();
    for (int i = 0; i < starts.size(); i++) {
      assertThat(starts.get(i)).isCloseTo(expectedStarts.get(i), within(1, ChronoUnit.MICROS));
      assertThat(durations.get(i)).isCloseTo(expectedDurations.get(i), within(1_000L));
    }
  }

  @Test
  void fieldsOfAStructureWithinAnEventHaveDottedNames() throws IOException {
    try (JfrFile file = JfrFile.open(recording);
        ChunkReader reader = file.chunks().getFirst().open()) {
      EventLayout heap =
          requireNonNull(
              reader.subscribe(
                  "jdk.GCHeapSummary", "heapUsed", "heapSpace.committedSize", "nothing"));
      assertThat(heap.has(0)).isTrue();
      assertThat(heap.has(1)).isTrue();
      assertThat(heap.has(2)).isFalse();
      List<Long> committed = new ArrayList<>();
      reader.forEachEvent(event -> committed.add(event.longValue(1)));
      assertThat(committed).isNotEmpty().allMatch(size -> size > 0 && size <= 128L << 20);
    }
  }

  @Test
  void anEventThatTheChunkDoesNotHaveIsToldByNull() throws IOException {
    try (JfrFile file = JfrFile.open(recording);
        ChunkReader reader = file.chunks().getFirst().open()) {
      assertThat(reader.subscribe("no.such.Event", "startTime")).isNull();
      assertThat(reader.types().has("no.such.Event")).isFalse();
      assertThat(reader.types().has("jdk.ThreadPark", "timeout")).isTrue();
      assertThat(reader.pool("no.such.Type", "field").find(1)).isFalse();
    }
  }
}
