/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.Converted.Observation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rarer events of HotSpot, beside what the JDK's reader sees of them. */
class HotSpotDetailsTest {
  @TempDir static Path folder;
  private static List<RecordedEvent> events = List.of();
  private static Converted converted;

  @BeforeAll
  static void convert() throws IOException {
    Path recording = DetailedWorkload.record(folder);
    events = RecordingFile.readAllEvents(recording);
    converted = Converted.of(recording);
  }

  @Test
  void objectsThatSurvivedHaveTheirSizeAndClass() {
    List<RecordedEvent> expected = eventsOf("jdk.OldObjectSample");
    List<Observation> actual = converted.observations(ProfileType.LIVE);
    assertThat(actual)
        .isNotEmpty()
        .extracting(Observation::value)
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(event -> event.getLong("objectSize")).toList());
    long arrays =
        expected.stream()
            .map(event -> event.<RecordedObject>getValue("object"))
            .filter(object -> object != null && object.getClass("type").getName().equals("[B"))
            .count();
    assertThat(actual)
        .filteredOn(object -> "byte[]".equals(object.attributes().get("jvm.allocation.class")))
        .hasSize((int) arrays)
        .isNotEmpty();
  }

  @Test
  void theMethodThatWasTracedIsTheInnermostFrame() {
    assertThat(converted.observations(ProfileType.TRACE))
        .hasSize(eventsOf("jdk.MethodTrace").size())
        .isNotEmpty()
        .allSatisfy(
            trace -> {
              assertThat(trace.stack().get(0).name()).endsWith("DetailedWorkload.traced");
              assertThat(trace.stack().get(1).name()).endsWith("DetailedWorkload.main");
              assertThat(trace.value()).isGreaterThanOrEqualTo(3_000_000);
            });
  }

  @Test
  void aVirtualThreadThatIsPinnedHasItsOwnName() {
    RecordedEvent expected = eventsOf("jdk.VirtualThreadPinned").getFirst();
    assertThat(converted.observations(ProfileType.PINNED))
        .hasSize(eventsOf("jdk.VirtualThreadPinned").size())
        .first()
        .satisfies(
            pinned -> {
              assertThat(pinned.value()).isEqualTo(expected.getDuration().toNanos());
              assertThat(pinned.attributes())
                  .containsEntry("thread.name", "pinned one")
                  .containsEntry("thread.id", expected.getThread().getJavaThreadId())
                  .containsEntry("sennit.thread.virtual", true);
            });
  }

  @Test
  void aStackThatTheRecorderCutOffIsMarked() {
    assertThat(converted.observations(ProfileType.SLEEP))
        .filteredOn(sleep -> sleep.hasFrame("DetailedWorkload.deep"))
        .isNotEmpty()
        .allSatisfy(
            sleep -> assertThat(sleep.attributes()).containsEntry("sennit.stack.truncated", true));
    assertThat(converted.observations(ProfileType.SLEEP))
        .filteredOn(sleep -> sleep.hasFrame("DetailedWorkload.traced"))
        .isNotEmpty()
        .allSatisfy(
            sleep -> assertThat(sleep.attributes()).doesNotContainKey("sennit.stack.truncated"));
  }

  @Test
  void samplesOfProcessorTimeHaveTheirOwnPeriodAndFailedOnesAreLeftOut() {
    List<RecordedEvent> samples =
        eventsOf("jdk.CPUTimeSample").stream()
            .filter(event -> !event.getBoolean("failed"))
            .toList();
    long time =
        samples.stream().mapToLong(event -> event.getDuration("samplingPeriod").toNanos()).sum();
    assertThat(converted.observations(ProfileType.CPU_TIME)).hasSize(samples.size());
    assertThat(converted.profile(ProfileType.CPU_TIME).getPeriod())
        .isEqualTo(time / samples.size());
  }

  @Test
  void theStateOfARunningThreadIsSaid() {
    assertThat(converted.observations(ProfileType.CPU))
        .isNotEmpty()
        .allSatisfy(
            sample ->
                assertThat(sample.attributes()).containsEntry("jvm.thread.state", "runnable"));
  }

  @Test
  void theResourceIsWhatTheRecordingSaysOfItsJvm() {
    RecordedEvent jvm = eventsOf("jdk.JVMInformation").getFirst();
    assertThat(converted.resource())
        .containsEntry("service.name", "details")
        .containsEntry("process.pid", jvm.getLong("pid"))
        .containsEntry("process.runtime.name", jvm.getString("jvmName"))
        .containsEntry("process.runtime.version", Runtime.version().toString());
  }

  private static List<RecordedEvent> eventsOf(String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }
}
