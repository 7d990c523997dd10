/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.Converted.Frame;
import dev.sennit.profiles.Converted.Observation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** The events of Datadog's profiler, and others that only a foreign writer can write. */
class DatadogConversionTest {
  private static final Map<String, Types.Builtin> IDS =
      Map.of("spanId", Types.Builtin.LONG, "localRootSpanId", Types.Builtin.LONG);

  @TempDir Path folder;

  @Test
  void samplesCountWithTheirWeightAndLinkToTheirSpan() throws IOException {
    for (String event : List.of("datadog.ExecutionSample", "datadog.MethodSample")) {
      Path file = folder.resolve(event);
      try (SampleWriter writer = new SampleWriter(file)) {
        writer.declare(
            event,
            Map.of(
                "spanId",
                Types.Builtin.LONG,
                "localRootSpanId",
                Types.Builtin.LONG,
                "weight",
                Types.Builtin.LONG),
            false);
        for (int i = 0; i < 3; i++) {
          long weight = i;
          writer.write(
              event,
              100 + i,
              sample ->
                  sample
                      .putField("eventThread", writer.thread(4711, "worker"))
                      .putField("stackTrace", writer.stack(weight == 2, List.of("leaf", "root")))
                      .putField("spanId", weight == 0 ? 0L : -1L)
                      .putField("localRootSpanId", 0x1234L)
                      .putField("weight", weight));
        }
      }
      ProfileType type = event.equals("datadog.MethodSample") ? ProfileType.WALL : ProfileType.CPU;
      List<Observation> samples = Converted.of(file).observations(type);
      assertThat(samples).extracting(Observation::value).containsExactlyInAnyOrder(1L, 1L, 2L);
      assertThat(samples)
          .extracting(Observation::link)
          .containsExactlyInAnyOrder(
              "",
              "00000000000000000000000000001234/ffffffffffffffff",
              "00000000000000000000000000001234/ffffffffffffffff");
      assertThat(samples)
          .allSatisfy(
              sample -> {
                assertThat(sample.stack())
                    .containsExactly(
                        new Frame("com.acme.Works.leaf", 1, "jvm"),
                        new Frame("com.acme.Works.root", 2, "jvm"));
                assertThat(sample.attributes())
                    .containsEntry("thread.id", 4711L)
                    .containsEntry("thread.name", "worker");
                assertThat(sample.time()).isBetween(SampleWriter.START, SampleWriter.START + 200);
              });
      assertThat(samples)
          .filteredOn(sample -> sample.attributes().containsKey("sennit.stack.truncated"))
          .singleElement()
          .extracting(Observation::value)
          .isEqualTo(2L);
    }
  }

  @Test
  void samplesThatAllCountOnceHaveTimestampsAlone() throws IOException {
    Path file = folder.resolve("plain.jfr");
    try (SampleWriter writer = new SampleWriter(file)) {
      writer.declare("datadog.ExecutionSample", Map.of("weight", Types.Builtin.LONG), false);
      writer.write("datadog.ExecutionSample", 1, sample -> sample.putField("weight", 1L));
    }
    assertThat(Converted.of(file).profile(ProfileType.CPU).getSamples(0).getValuesCount()).isZero();
  }

  @Test
  void objectsWeighTheirSizeTimesTheirWeight() throws IOException {
    Map<String, ProfileType> types =
        Map.of(
            "datadog.ObjectSample", ProfileType.ALLOC, "datadog.HeapLiveObject", ProfileType.LIVE);
    for (Map.Entry<String, ProfileType> entry : types.entrySet()) {
      Path file = folder.resolve(entry.getKey());
      try (SampleWriter writer = new SampleWriter(file)) {
        writer.declare(entry.getKey(), DatadogRecording.SAMPLE, true);
        writer.write(
            entry.getKey(),
            5,
            object ->
                object
                    .putField("eventThread", writer.thread(1, "main"))
                    .putField("stackTrace", writer.stack(false, List.of("make")))
                    .putField("objectClass", writer.type("[Ljava/lang/String;"))
                    .putField("spanId", 7L)
                    .putField("localRootSpanId", 8L)
                    .putField("size", 48L)
                    .putField("weight", 2.5f));
      }
      assertThat(Converted.of(file).observations(entry.getValue()))
          .singleElement()
          .satisfies(
              object -> {
                assertThat(object.value()).isEqualTo(120);
                assertThat(object.link())
                    .isEqualTo("00000000000000000000000000000008/0000000000000007");
                assertThat(object.attributes())
                    .containsEntry("jvm.allocation.class", "java.lang.String[]");
              });
    }
  }

  @Test
  void periodsAreThoseThatTheProfilerSaysOfItsEvents() throws IOException {
    Path file = folder.resolve("periods.jfr");
    try (SampleWriter writer = new SampleWriter(file)) {
      for (String event : List.of("datadog.ExecutionSample", "datadog.MethodSample")) {
        writer.declare(event, Map.of(), false);
      }
      writer.declare("datadog.ObjectSample", Map.of("size", Types.Builtin.LONG), false);
      // The profiler is a fork of async-profiler, and describes this as async-profiler does.
      writer.declare("profiler.Log", Map.of("message", Types.Builtin.STRING), false);
      writer.declareSettings();
      writer.setting("datadog.ExecutionSample", "interval", "10000000");
      writer.setting("datadog.MethodSample", "interval", "50000000");
      writer.setting("datadog.ObjectSample", "interval", "262144");
      writer.write("datadog.ExecutionSample", 1, sample -> {});
      writer.write("datadog.MethodSample", 2, sample -> {});
      writer.write("datadog.ObjectSample", 3, sample -> sample.putField("size", 16L));
    }
    Converted converted = Converted.of(file);
    assertThat(converted.profile(ProfileType.CPU).getPeriod()).isEqualTo(10_000_000);
    assertThat(converted.profile(ProfileType.WALL).getPeriod()).isEqualTo(50_000_000);
    assertThat(converted.profile(ProfileType.ALLOC).getPeriod()).isEqualTo(262_144);
  }

  @Test
  void contextsThatWereOpenAtADumpLinkWhatCameAfterTheirStart() throws IOException {
    Path file = folder.resolve("open.jfr");
    try (SampleWriter writer = new SampleWriter(file)) {
      writer.declare("datadog.ExecutionSample", IDS, false);
      writer.declare(
          "profiler.UserEvent",
          Map.of("type", Types.Builtin.STRING, "data", Types.Builtin.STRING),
          false);
      for (long time : new long[] {99, 100, 101, 200, 201}) {
        for (int thread : new int[] {1, 2}) {
          writer.write(
              "datadog.ExecutionSample",
              time,
              sample ->
                  sample
                      .putField("eventThread", writer.thread(thread, "thread"))
                      .putField("spanId", 0L)
                      .putField("localRootSpanId", 0L));
        }
      }
      writer.write(
          "profiler.UserEvent",
          205,
          event -> event.putField("type", OpenContext.TYPE).putField("data", open(2, 100, 200)));
      writer.write(
          "profiler.UserEvent",
          206,
          event -> event.putField("type", "another").putField("data", open(1, 0, 300)));
    }
    assertThat(Converted.of(file).observations(ProfileType.CPU))
        .hasSize(10)
        .filteredOn(sample -> !sample.link().isEmpty())
        .allSatisfy(sample -> assertThat(sample.attributes()).containsEntry("thread.id", 2L))
        .extracting(sample -> sample.time() - SampleWriter.START)
        .containsExactlyInAnyOrder(101L, 200L);
  }

  private static String open(long thread, long since, long until) {
    return new OpenContext(
            thread,
            SampleWriter.START_TICKS + since,
            SampleWriter.START_TICKS + until,
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        .encode();
  }
}
