/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.jfr.Recordings;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A recording of HotSpot, converted by Sennit and decoded by OpenTelemetry's classes, beside the
 * JDK's own reader.
 */
class HotSpotConversionTest {
  @TempDir static Path folder;
  private static Path recording;
  private static List<RecordedEvent> events;
  private static ProfilesData converted;

  @BeforeAll
  static void convert() throws IOException {
    recording = Recordings.hotSpot(folder);
    events = RecordingFile.readAllEvents(recording);
    converted = ProfilesData.parseFrom(new JfrToOtlpConverter().addFile(recording).convert());
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, samples, count, jdk.ExecutionSample",
    "cpu-time, samples, count, jdk.CPUTimeSample",
    "alloc-samples, allocated_space, bytes, jdk.ObjectAllocationSample",
    "alloc-tlab, allocated_space, bytes, jdk.ObjectAllocationInNewTLAB"
        + "|jdk.ObjectAllocationOutsideTLAB",
    "lock-contention, lock_delay, nanoseconds, jdk.JavaMonitorEnter|jdk.JavaMonitorWait",
    "park, park_delay, nanoseconds, jdk.ThreadPark",
    "sleep, sleep_delay, nanoseconds, jdk.ThreadSleep",
    "socket, socket_delay, nanoseconds, jdk.SocketRead|jdk.SocketWrite",
    "file, file_delay, nanoseconds, jdk.FileRead|jdk.FileWrite"
  })
  void everyEventIsThereWithItsValue(String type, String sampleType, String unit, String names) {
    List<RecordedEvent> expected = eventsOf(names);
    assertThat(expected).as("events in the recording").isNotEmpty();
    Profile profile = profile(converted, type);
    assertThat(string(profile.getSampleType().getTypeStrindex())).isEqualTo(sampleType);
    assertThat(string(profile.getSampleType().getUnitStrindex())).isEqualTo(unit);
    assertThat(profile.getSamplesList().stream().mapToInt(Sample::getTimestampsUnixNanoCount).sum())
        .isEqualTo(expected.size());
    assertThat(total(profile)).isEqualTo(expected.stream().mapToLong(this::value).sum());
  }

  @Test
  void theHottestStacksAreThoseOfTheJdksReader() {
    Map<String, Long> expected =
        eventsOf("jdk.ObjectAllocationSample").stream()
            .filter(event -> event.getStackTrace() != null)
            .collect(Collectors.groupingBy(this::stack, Collectors.summingLong(this::value)));
    Map<String, Long> actual = new HashMap<>();
    for (Sample sample : profile(converted, "alloc-samples").getSamplesList()) {
      if (sample.getStackIndex() != 0) {
        actual.merge(
            stack(sample), sample.getValuesList().stream().mapToLong(v -> v).sum(), Long::sum);
      }
    }
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void samplesOfOneIdentityAreOne() {
    for (Profile profile : profiles(converted)) {
      assertThat(
              profile.getSamplesList().stream()
                  .map(
                      s ->
                          List.of(
                              s.getStackIndex(),
                              List.copyOf(s.getAttributeIndicesList()),
                              s.getLinkIndex())))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void everyFrameHasItsType() {
    ProfilesDictionary dictionary = converted.getDictionary();
    assertThat(dictionary.getLocationTableList().subList(1, dictionary.getLocationTableCount()))
        .allSatisfy(
            location ->
                assertThat(
                        location.getAttributeIndicesList().stream()
                            .map(dictionary::getAttributeTable)
                            .filter(a -> string(a.getKeyStrindex()).equals("profile.frame.type"))
                            .map(a -> a.getValue().getStringValue()))
                    .singleElement()
                    .isIn("jvm", "native"));
  }

  @Test
  void timestampsLieInTheProfile() {
    for (Profile profile : profiles(converted)) {
      long start = profile.getTimeUnixNano();
      long end = start + profile.getDurationNano();
      assertThat(
              profile.getSamplesList().stream()
                  .flatMap(s -> s.getTimestampsUnixNanoList().stream()))
          .allSatisfy(time -> assertThat(time).isGreaterThanOrEqualTo(start).isLessThan(end));
    }
  }

  @Test
  void sumsAreOneValueWithoutTimestamps() throws IOException {
    ProfilesData sums =
        ProfilesData.parseFrom(
            new JfrToOtlpConverter(ConversionOptions.defaults().withAggregate(true))
                .addFile(recording)
                .convert());
    for (Profile profile : profiles(sums)) {
      assertThat(profile.getSamplesList())
          .allSatisfy(
              sample -> {
                assertThat(sample.getValuesCount()).isEqualTo(1);
                assertThat(sample.getTimestampsUnixNanoCount()).isZero();
              });
    }
    assertThat(total(profile(sums, "alloc-samples")))
        .isEqualTo(total(profile(converted, "alloc-samples")));
  }

  @Test
  void aTimeRangeTakesWhatIsInIt() throws IOException {
    List<RecordedEvent> parks = eventsOf("jdk.ThreadPark");
    Instant middle = parks.get(parks.size() / 2).getStartTime();
    ProfilesData part =
        ProfilesData.parseFrom(
            new JfrToOtlpConverter().addFile(recording, middle, Instant.MAX).convert());
    assertThat(
            profile(part, "park").getSamplesList().stream()
                .mapToInt(Sample::getTimestampsUnixNanoCount)
                .sum())
        .isEqualTo(parks.stream().filter(event -> !event.getStartTime().isBefore(middle)).count());
  }

  @Test
  void theSamplingPeriodIsTheRecorders() {
    assertThat(profile(converted, "cpu").getPeriod()).isEqualTo(10_000_000);
    assertThat(profile(converted, "cpu-time").getPeriod()).isPositive();
  }

  private static List<RecordedEvent> eventsOf(String names) {
    List<String> wanted = List.of(names.split("\\|", -1));
    return events.stream()
        .filter(event -> wanted.contains(event.getEventType().getName()))
        .filter(event -> !event.hasField("failed") || !event.getBoolean("failed"))
        .toList();
  }

  private long value(RecordedEvent event) {
    return switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample", "jdk.CPUTimeSample" -> 1;
      case "jdk.ObjectAllocationSample" -> event.getLong("weight");
      case "jdk.ObjectAllocationInNewTLAB" -> event.getLong("tlabSize");
      case "jdk.ObjectAllocationOutsideTLAB" -> event.getLong("allocationSize");
      default -> event.getDuration().toNanos();
    };
  }

  private String stack(RecordedEvent event) {
    return event.getStackTrace().getFrames().stream()
        .map(HotSpotConversionTest::frame)
        .collect(Collectors.joining("\n"));
  }

  private static String frame(RecordedFrame frame) {
    return frame.getMethod().getType().getName()
        + "."
        + frame.getMethod().getName()
        + ":"
        + Math.max(0, frame.getLineNumber());
  }

  private static String stack(Sample sample) {
    ProfilesDictionary dictionary = converted.getDictionary();
    return dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList().stream()
        .map(dictionary::getLocationTable)
        .map(HotSpotConversionTest::frame)
        .collect(Collectors.joining("\n"));
  }

  private static String frame(Location location) {
    Function function =
        converted.getDictionary().getFunctionTable(location.getLines(0).getFunctionIndex());
    return string(function.getNameStrindex()) + ":" + location.getLines(0).getLine();
  }

  private static long total(Profile profile) {
    return profile.getSamplesList().stream()
        .mapToLong(
            sample ->
                sample.getValuesCount() == 0
                    ? sample.getTimestampsUnixNanoCount()
                    : sample.getValuesList().stream().mapToLong(v -> v).sum())
        .sum();
  }

  private static List<Profile> profiles(ProfilesData data) {
    return data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList();
  }

  private static Profile profile(ProfilesData data, String type) {
    ProfilesDictionary dictionary = data.getDictionary();
    return profiles(data).stream()
        .filter(
            profile ->
                profile.getAttributeIndicesList().stream()
                    .map(dictionary::getAttributeTable)
                    .map(KeyValueAndUnit::getValue)
                    .anyMatch(value -> value.getStringValue().equals(type)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no profile of type " + type));
  }

  private static String string(int index) {
    return converted.getDictionary().getStringTable(index);
  }
}
