/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.FieldKind;
import dev.sennit.profiles.jfr.Pool;
import dev.sennit.profiles.jfr.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts one chunk into samples with a dictionary of their own, so that chunks can be converted
 * side by side. What is the same in several chunks becomes one when they are {@linkplain
 * DictionaryMerger merged}.
 */
final class ChunkConverter {
  private static final String FAILED_FIELD = "failed";
  private static final String PERIOD_FIELD = "samplingPeriod";
  private static final String METHOD_FIELD = "method";

  private final ChunkReader chunk;
  private final ConversionOptions options;
  private final RecordingFacts facts;
  private final Set<ProfileType> weighted;
  private final long from;
  private final long to;
  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final Map<ProfileType, TypeSamples> samples = new EnumMap<>(ProfileType.class);
  private final FrameLocations frames;
  private final AttributeCombinations attributes;
  private final Threads threads;
  private final Pool oldObjects;
  private final boolean asyncProfiler;
  private long failed;
  private long untimely;
  private long unmeasured;
  private long lastThread;
  private long lastThreadKey;

  /**
   * A converter of the events in a time range.
   *
   * @param weighted the types whose events have values
   * @param from first nanosecond since the epoch
   * @param to nanosecond after the last
   */
  ChunkConverter(
      ChunkReader chunk,
      ConversionOptions options,
      RecordingFacts facts,
      Set<ProfileType> weighted,
      long from,
      long to)
      throws IOException {
    this.chunk = chunk;
    this.options = options;
    this.facts = facts;
    this.weighted = weighted;
    this.from = from;
    this.to = to;
    this.frames = new FrameLocations(chunk, dictionary, options.descriptors());
    this.attributes = new AttributeCombinations(chunk, dictionary);
    this.threads = chunk.threads();
    this.oldObjects = chunk.pool("jdk.types.OldObject", "type");
    this.asyncProfiler = RecordingFacts.isAsyncProfiler(chunk);
  }

  ProfilesDictionary dictionary() {
    return dictionary;
  }

  Map<ProfileType, TypeSamples> samples() {
    return samples;
  }

  /** The samples that are left out since the recorder could not take a stack. */
  long failed() {
    return failed;
  }

  /** The events that are left out since they have no time after 1970. */
  long untimely() {
    return untimely;
  }

  /** The events that have no value and count as one; old objects have no size before JDK 21. */
  long unmeasured() {
    return unmeasured;
  }

  void convert() throws IOException {
    Map<EventLayout, Source> sources = new HashMap<>();
    for (EventSource source : EventSource.of(options.types())) {
      Source subscribed = subscribe(source);
      if (subscribed != null) {
        sources.put(subscribed.layout, subscribed);
      }
    }
    if (sources.isEmpty()) {
      return;
    }
    chunk.forEachEvent(
        event -> {
          Source source = sources.get(event);
          if (source != null) {
            add(source);
          }
        });
  }

  /** An event type of this chunk; fields that it lacks have the place -1. */
  private static final class Source {
    final EventSource kind;
    final EventLayout layout;
    final int time;
    final int thread;
    final int stack;
    final int value;
    final int weight;
    final int type;
    final int typeKey;
    final boolean ofObject;
    final int state;
    final int span;
    final int root;
    final int failed;
    final int period;
    final int method;

    Source(EventSource kind, EventLayout layout, List<String> fields, int typeKey) {
      this.kind = kind;
      this.layout = layout;
      time = place(kind.time(), fields);
      thread = place(kind.thread(), fields);
      stack = place(List.of("stackTrace"), fields);
      value = place(kind.value(), fields);
      weight = place(kind.weight(), fields);
      type = place(kind.type(), fields);
      this.typeKey = typeKey;
      ofObject = kind.type().contains(EventSource.OBJECT);
      state = place(List.of("state"), fields);
      span = place(List.of("spanId"), fields);
      root = place(List.of("localRootSpanId"), fields);
      failed = place(List.of(FAILED_FIELD), fields);
      period = place(List.of(PERIOD_FIELD), fields);
      method = place(List.of(METHOD_FIELD), fields);
    }

    private static int place(List<String> names, List<String> fields) {
      return names.stream().filter(fields::contains).findFirst().map(fields::indexOf).orElse(-1);
    }

    long get(int place) {
      return place < 0 ? 0 : layout.longValue(place);
    }
  }

  private @Nullable Source subscribe(EventSource source) throws IOException {
    if (!chunk.types().has(source.event())) {
      return null;
    }
    List<String> wanted = new ArrayList<>();
    for (List<String> names :
        List.of(
            source.time(),
            source.thread(),
            source.value(),
            source.weight(),
            source.type(),
            List.of("stackTrace", "state", "spanId", "localRootSpanId"),
            List.of(FAILED_FIELD, PERIOD_FIELD, METHOD_FIELD))) {
      names.stream()
          .filter(name -> !wanted.contains(name) && chunk.types().has(source.event(), name))
          .forEach(wanted::add);
    }
    @Nullable EventLayout layout = chunk.subscribe(source.event(), wanted.toArray(String[]::new));
    int typeKey =
        source.typeAttribute().isEmpty() ? 0 : dictionary.strings().intern(source.typeAttribute());
    return layout == null ? null : new Source(source, layout, wanted, typeKey);
  }

  private void add(Source source) throws IOException {
    long time = chunk.chunk().nanosOf(source.get(source.time));
    if (time < from || time >= to) {
      return;
    }
    if (time <= 0 || time == Long.MAX_VALUE) {
      untimely++;
      return;
    }
    ProfileType type = typeOf(source);
    if (!options.types().contains(type)) {
      return;
    }
    if (source.get(source.failed) != 0) {
      failed++;
      return;
    }
    long thread = source.get(source.thread);
    int stack = frames.stack(source.get(source.stack));
    boolean truncated = stack < 0;
    stack = truncated ? ~stack : stack;
    if (source.get(source.method) != 0) {
      // HotSpot's stack of a traced method begins with its caller; async-profiler names no method.
      stack = frames.withLeaf(stack, source.get(source.method));
    }
    int attributeSet =
        attributes.set(
            thread, classOf(source), source.typeKey, source.get(source.state), truncated);
    TypeSamples target =
        samples.computeIfAbsent(
            type, key -> new TypeSamples(weighted.contains(key), options.aggregate()));
    if (source.period >= 0) {
      target.tellPeriod(chunk.chunk().durationOf(source.get(source.period)));
    }
    target.add(stack, attributeSet, link(source, thread, time), time, value(source));
  }

  /**
   * What async-profiler saw of threads by the clock it writes as execution samples with a state,
   * and of its samples of objects some as buffers.
   */
  private ProfileType typeOf(Source source) throws IOException {
    ProfileType other = source.kind.asyncProfiler();
    if (!asyncProfiler || other != ProfileType.WALL || source.kind.profile() == other) {
      return asyncProfiler ? other : source.kind.profile();
    }
    @Nullable String state = chunk.threadState(source.get(source.state));
    return state == null || state.equals(AttributeCombinations.NO_STATE) ? ProfileType.CPU : other;
  }

  private long classOf(Source source) throws IOException {
    long type = source.get(source.type);
    if (!source.ofObject || type == 0) {
      return type;
    }
    return oldObjects.find(type) ? oldObjects.longValue(0) : 0;
  }

  private long value(Source source) {
    long value =
        switch (source.kind.measure()) {
          case COUNT -> 1;
          case FIELD ->
              source.value < 0 ? countUnmeasured() : source.layout.longValue(source.value);
          case TICKS -> chunk.chunk().durationOf(source.get(source.value));
        };
    if (source.weight < 0) {
      return value;
    }
    @Nullable FieldKind kind = source.layout.kind(source.weight);
    if (kind == FieldKind.FLOAT || kind == FieldKind.DOUBLE) {
      double weight = source.layout.doubleValue(source.weight);
      return weight > 0 ? Math.round(value * weight) : value;
    }
    long weight = source.layout.longValue(source.weight);
    return weight > 0 ? value * weight : value;
  }

  private long countUnmeasured() {
    unmeasured++;
    return 1;
  }

  private int link(Source source, long thread, long time) throws IOException {
    long span = source.get(source.span);
    if (span != 0) {
      return dictionary.links().intern(span, source.get(source.root));
    }
    SpanIntervals spans = facts.spans();
    if (spans.isEmpty() || thread == 0) {
      return 0;
    }
    if (thread != lastThread) {
      lastThread = thread;
      lastThreadKey = threads.find(thread) ? SpanEvents.threadKey(threads) : 0;
    }
    return spans.link(lastThreadKey, time, dictionary.links());
  }
}
