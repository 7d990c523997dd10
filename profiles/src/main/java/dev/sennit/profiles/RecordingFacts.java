/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.EventVisitor;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a recording says of itself: how often the recorder sampled, which JVM it was, which samples
 * stand for several, and which span was current on which thread.
 */
final class RecordingFacts {
  /** A type that async-profiler and its forks describe in every chunk that they write. */
  private static final String ASYNC_PROFILER_TYPE = "profiler.Log";

  /** A type that Datadog's fork describes beside it, whose settings are those of its own events. */
  private static final String DATADOG_TYPE = "datadog.ExecutionSample";

  /** The field by which one event may stand for several samples. */
  private record Weight(String event, String field, ProfileType type) {}

  private static final List<Weight> WEIGHTED =
      List.of(
          new Weight("profiler.WallClockSample", "samples", ProfileType.WALL),
          new Weight("datadog.MethodSample", "weight", ProfileType.WALL),
          new Weight("datadog.ExecutionSample", "weight", ProfileType.CPU));

  private final Map<String, Map<String, String>> settings = new HashMap<>();
  private final Map<String, Map<String, String>> asyncProfilerSettings = new HashMap<>();
  private final JvmFacts jvm = new JvmFacts();
  private final Set<ProfileType> weighted = EnumSet.noneOf(ProfileType.class);
  private SpanIntervals spans = new SpanIntervals();

  /**
   * Whether samples can be converted only after this was asked of all chunks of a recording: the
   * interval of a span may lie in a later chunk than its samples, and all samples of a profile have
   * values as soon as one has.
   */
  static boolean comeFirst(ChunkReader chunk) {
    return SpanEvents.mayBeIn(chunk)
        || WEIGHTED.stream().anyMatch(weight -> chunk.types().has(weight.event, weight.field));
  }

  /** What a chunk has to tell. */
  static RecordingFacts of(ChunkReader chunk) throws IOException {
    RecordingFacts facts = new RecordingFacts();
    Map<EventLayout, EventVisitor> visitors = facts.subscribe(chunk);
    if (!visitors.isEmpty()) {
      chunk.forEachEvent(new EventDispatcher(Map.of(), visitors));
    }
    return facts;
  }

  /** Adds what a later chunk of the same recording has told. */
  void addAll(RecordingFacts later) {
    addAll(settings, later.settings);
    addAll(asyncProfilerSettings, later.asyncProfilerSettings);
    jvm.addAll(later.jvm);
    weighted.addAll(later.weighted);
    spans.addAll(later.spans);
  }

  private static void addAll(
      Map<String, Map<String, String>> target, Map<String, Map<String, String>> later) {
    later.forEach(
        (event, values) -> target.computeIfAbsent(event, key -> new HashMap<>()).putAll(values));
  }

  /**
   * Asks a chunk for all events that tell something; they are not among those that samples are made
   * of, unless facts {@linkplain #comeFirst come first}.
   *
   * @return whom to give the events to
   */
  Map<EventLayout, EventVisitor> subscribe(ChunkReader chunk) throws IOException {
    Map<EventLayout, EventVisitor> visitors = new HashMap<>();
    var target = isAsyncProfiler(chunk) ? asyncProfilerSettings : settings;
    subscribe(
        chunk,
        visitors,
        "jdk.ActiveSetting",
        event -> setting(chunk, target, event),
        "id",
        "name",
        "value");
    jvm.subscribe(chunk, visitors);
    SpanEvents.subscribe(chunk, spans, visitors);
    for (Weight weight : WEIGHTED) {
      weights(chunk, visitors, weight);
    }
    return visitors;
  }

  static void subscribe(
      ChunkReader chunk,
      Map<EventLayout, EventVisitor> visitors,
      String event,
      EventVisitor visitor,
      String... fields)
      throws IOException {
    @Nullable EventLayout layout = chunk.subscribe(event, fields);
    if (layout != null) {
      visitors.put(layout, visitor);
    }
  }

  /**
   * Whether async-profiler wrote the chunk, which gives some of the JDK's events a meaning of its
   * own. A recording may have chunks of both, see its option {@code jfrsync}.
   */
  static boolean isAsyncProfiler(ChunkReader chunk) {
    return chunk.types().has(ASYNC_PROFILER_TYPE) && !chunk.types().has(DATADOG_TYPE);
  }

  SpanIntervals spans() {
    return spans;
  }

  /** Takes the spans of another recording of the same JVM for its own. */
  void shareSpans(RecordingFacts other) {
    other.spans.addAll(spans);
    spans = other.spans;
  }

  JvmFacts jvm() {
    return jvm;
  }

  /** The types of samples of which some stand for several. */
  Set<ProfileType> weighted() {
    return weighted;
  }

  /**
   * The sampling period of an event by HotSpot or Datadog's profiler in its unit; 0 if the
   * recording does not tell.
   */
  long period(String event, String... settingNames) {
    Map<String, String> ofEvent = settings.getOrDefault(event, Map.of());
    return "false".equals(ofEvent.get("enabled")) ? 0 : number(ofEvent, settingNames);
  }

  /** The sampling period of an event by async-profiler in its unit; 0 if it does not tell. */
  long asyncProfilerPeriod(String event, String... settingNames) {
    return number(asyncProfilerSettings.getOrDefault(event, Map.of()), settingNames);
  }

  /** What async-profiler's execution samples are taken by, such as {@code ctimer}; or nothing. */
  String asyncProfilerEvent() {
    return asyncProfilerSettings
        .getOrDefault("jdk.ActiveRecording", Map.of())
        .getOrDefault("event", "");
  }

  private static long number(Map<String, String> ofEvent, String... names) {
    for (String name : names) {
      @Nullable String value = ofEvent.get(name);
      long number = value == null ? 0 : SettingValue.parse(value);
      if (number > 0) {
        return number;
      }
    }
    return 0;
  }

  private static void setting(
      ChunkReader chunk, Map<String, Map<String, String>> target, EventLayout event)
      throws IOException {
    @Nullable String name = event.text(1);
    @Nullable String value = event.text(2);
    @Nullable String of = chunk.types().name(event.longValue(0));
    if (name != null && value != null && of != null) {
      target.computeIfAbsent(of, key -> new HashMap<>()).put(name, value);
    }
  }

  private void weights(ChunkReader chunk, Map<EventLayout, EventVisitor> visitors, Weight weight)
      throws IOException {
    if (chunk.types().has(weight.event, weight.field)) {
      subscribe(
          chunk,
          visitors,
          weight.event,
          sample -> {
            if (sample.longValue(0) != 1) {
              weighted.add(weight.type);
            }
          },
          weight.field);
    }
  }
}
