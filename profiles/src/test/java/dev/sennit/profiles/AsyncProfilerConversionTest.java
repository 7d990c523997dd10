/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.Converted.Frame;
import dev.sennit.profiles.Converted.Observation;
import dev.sennit.profiles.jfr.ProfiledWorkload;
import dev.sennit.profiles.jfr.Recordings;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of async-profiler, beside what the JDK's reader sees in them. */
@Requires
class AsyncProfilerConversionTest {
  @TempDir Path folder;

  @Test
  void processorTimeAllocationLocksAndMemoryAreProfilesOfTheirOwn() throws IOException {
    Path recording =
        profile("event=ctimer,interval=1ms,alloc=10k,live,lock=1us,nativemem=1k,cstack=vm,jfr");
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    Converted converted = Converted.of(recording);

    assertSame(converted, ProfileType.CPU, events, event -> 1, "jdk.ExecutionSample");
    assertThat(converted.profile(ProfileType.CPU).getPeriod()).isEqualTo(1_000_000);
    assertThat(converted.observations(ProfileType.CPU).getFirst().attributes())
        .doesNotContainKey("jvm.thread.state");
    assertThat(converted.find(ProfileType.WALL)).isEmpty();

    assertSame(
        converted,
        ProfileType.ALLOC,
        events,
        event -> event.getLong(event.hasField("tlabSize") ? "tlabSize" : "allocationSize"),
        "jdk.ObjectAllocationInNewTLAB",
        "jdk.ObjectAllocationOutsideTLAB");
    assertThat(converted.profile(ProfileType.ALLOC).getPeriod()).isEqualTo(10 << 10);
    assertThat(converted.observations(ProfileType.ALLOC))
        .anySatisfy(
            allocation ->
                assertThat(allocation.attributes())
                    .containsEntry("jvm.allocation.class", "byte[]")
                    .containsEntry("thread.name", "main"));

    assertSame(
        converted,
        ProfileType.LIVE,
        events,
        event -> event.getLong("allocationSize"),
        "profiler.LiveObject");
    assertSame(
        converted,
        ProfileType.LOCK,
        events,
        event -> event.getDuration().toNanos(),
        "jdk.JavaMonitorEnter");
    assertThat(converted.observations(ProfileType.LOCK))
        .anySatisfy(
            lock ->
                assertThat(lock.attributes())
                    .containsEntry("jvm.monitor.class", "java.lang.Object"));
    assertSame(
        converted,
        ProfileType.NATIVE_MEMORY,
        events,
        event -> event.getLong("size"),
        "profiler.Malloc");
    assertThat(converted.profile(ProfileType.NATIVE_MEMORY).getPeriod()).isEqualTo(1 << 10);
    assertThat(frameTypes(converted, ProfileType.NATIVE_MEMORY)).contains("native", "jvm");
    assertThat(converted.resource()).containsKey("process.runtime.version");
    assertThat(converted.resource().get("process.pid")).isInstanceOf(Long.class);
  }

  @Test
  void idleThreadsOfTheWallClockCountAsOftenAsTheyWereSeen() throws IOException {
    Path recording = profile("event=wall,interval=5ms,jfr");
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    Converted converted = Converted.of(recording);
    assertSame(
        converted,
        ProfileType.WALL,
        events,
        event -> event.getInt("samples"),
        "profiler.WallClockSample");
    assertThat(converted.profile(ProfileType.WALL).getPeriod()).isEqualTo(5_000_000);
    assertThat(converted.observations(ProfileType.WALL))
        .extracting(sample -> sample.attributes().get("jvm.thread.state"))
        .contains("runnable", "sleeping");
  }

  @Test
  void executionSamplesWithAStateAreOfTheWallClock() throws IOException {
    Path recording = profile("event=wall,interval=5ms,nobatch,jfr");
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    Converted converted =
        Converted.of(
            ConversionOptions.defaults().withTypes(EnumSet.of(ProfileType.WALL)), recording);
    assertSame(converted, ProfileType.WALL, events, event -> 1, "jdk.ExecutionSample");
    assertThat(converted.profile(ProfileType.WALL).getPeriod()).isEqualTo(5_000_000);
    assertThat(converted.profile(ProfileType.WALL).getSamplesList())
        .allSatisfy(sample -> assertThat(sample.getValuesCount()).isZero());
  }

  @Test
  void processorTimeAndWallClockOfOneRecordingAreKeptApart() throws IOException {
    Path recording = profile("event=ctimer,interval=1ms,wall=5ms,nobatch,jfr");
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    Converted converted = Converted.of(recording);
    long wall =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))
            .filter(event -> !event.getString("state").equals("STATE_DEFAULT"))
            .count();
    assertThat(wall).isPositive();
    assertThat(converted.observations(ProfileType.WALL)).hasSize((int) wall);
    assertThat(converted.total(ProfileType.CPU) + wall)
        .isEqualTo(count(events, "jdk.ExecutionSample"));
    assertThat(converted.profile(ProfileType.CPU).getPeriod()).isEqualTo(1_000_000);
    assertThat(converted.profile(ProfileType.WALL).getPeriod()).isEqualTo(5_000_000);
  }

  @Test
  void aRecordingMergedWithTheFlightRecordersHasBoth() throws IOException {
    Path recording = profile("event=ctimer,interval=1ms,alloc=10k,jfrsync=profile");
    List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
    Converted converted = Converted.of(recording);
    assertSame(converted, ProfileType.CPU, events, event -> 1, "jdk.ExecutionSample");
    assertThat(converted.find(ProfileType.WALL)).isEmpty();
    assertSame(
        converted,
        ProfileType.ALLOC,
        events,
        event -> event.getLong(event.hasField("tlabSize") ? "tlabSize" : "allocationSize"),
        "jdk.ObjectAllocationInNewTLAB",
        "jdk.ObjectAllocationOutsideTLAB");
    assertThat(converted.profile(ProfileType.CPU).getPeriod()).isNotEqualTo(10_000_000);
  }

  @Test
  void samplesWithinASpanWhoseTagIsATraceparentAreLinked() throws IOException {
    Path recording = folder.resolve("spans.jfr");
    Recordings.java(
        List.of(),
        SpannedWorkload.class,
        "start,event=ctimer,interval=500us,cstack=no,jfr,file=" + recording);
    List<Observation> samples = Converted.of(recording).observations(ProfileType.CPU);
    assertThat(samples)
        .filteredOn(sample -> sample.hasFrame("workInFirst"))
        .hasSizeGreaterThan(20)
        .extracting(Observation::link)
        .containsOnly(SpannedWorkload.TRACE + "/" + SpannedWorkload.FIRST);
    assertThat(samples)
        .filteredOn(sample -> sample.hasFrame("workInSecond"))
        .hasSizeGreaterThan(10)
        .extracting(Observation::link)
        .containsOnly(SpannedWorkload.TRACE + "/" + SpannedWorkload.SECOND);
    assertThat(samples)
        .filteredOn(sample -> sample.hasFrame("workOutside"))
        .hasSizeGreaterThan(10)
        .extracting(Observation::link)
        .containsOnly("");
  }

  /** One event is for all samples of a wait, and a span began and ended in it. */
  @Test
  void samplesOfAWaitAreLinkedAsFarAsTheyAreInASpan() throws IOException {
    Path recording = folder.resolve("waits.jfr");
    Recordings.java(
        List.of(), WaitingWorkload.class, "start,event=wall,interval=5ms,jfr,file=" + recording);
    List<RecordedEvent> spans =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals("profiler.Span"))
            .toList();
    List<Observation> waits =
        Converted.of(recording).observations(ProfileType.WALL).stream()
            .filter(sample -> sample.hasFrame("waitInTheMiddle"))
            .toList();
    assertThat(spans).hasSize(3);
    assertThat(waits.stream().mapToLong(Observation::value).sum()).isBetween(60L, 310L);
    assertThat(waits).filteredOn(sample -> sample.link().isEmpty()).isNotEmpty();
    List<Observation> linked = waits.stream().filter(each -> !each.link().isEmpty()).toList();
    assertThat(linked.stream().mapToLong(Observation::value).sum()).isBetween(20L, 156L);
    assertThat(linked)
        .allSatisfy(
            sample ->
                assertThat(spans)
                    .anySatisfy(
                        span -> {
                          long millis = TimeUnit.NANOSECONDS.toMillis(sample.time());
                          assertThat(millis)
                              .isGreaterThanOrEqualTo(span.getStartTime().toEpochMilli());
                          assertThat(millis + 5 * (sample.value() - 1))
                              .isLessThanOrEqualTo(span.getEndTime().toEpochMilli());
                        }));
  }

  private Path profile(String options) {
    Path recording = folder.resolve("profile.jfr");
    Recordings.java(
        List.of("-Xmx128m"), ProfiledWorkload.class, "start," + options + ",file=" + recording);
    return recording;
  }

  private static void assertSame(
      Converted converted,
      ProfileType type,
      List<RecordedEvent> events,
      ToLongFunction<RecordedEvent> value,
      String... names) {
    List<RecordedEvent> expected =
        events.stream()
            .filter(event -> List.of(names).contains(event.getEventType().getName()))
            .toList();
    assertThat(expected).as("events of %s", List.of(names)).isNotEmpty();
    assertThat(converted.observations(type)).hasSize(expected.size());
    assertThat(converted.total(type)).isEqualTo(expected.stream().mapToLong(value).sum());
  }

  private static long count(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).count();
  }

  private static List<String> frameTypes(Converted converted, ProfileType type) {
    return converted.observations(type).stream()
        .flatMap(sample -> sample.stack().stream())
        .map(Frame::type)
        .distinct()
        .toList();
  }
}
