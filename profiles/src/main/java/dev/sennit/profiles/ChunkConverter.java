/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.EventVisitor;
import dev.sennit.profiles.jfr.Pool;
import dev.sennit.profiles.jfr.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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
  /** So many samples async-profiler makes one event of; more are from somebody else. */
  private static final int MOST_AT_ONCE = 1000;

  private final ChunkReader chunk;
  private final ConversionOptions options;
  private final SpanIntervals intervals;
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
   * @param intervals which span was current when, sealed
   * @param weighted the types whose events have values
   * @param from first nanosecond since the epoch
   * @param to nanosecond after the last
   */
  ChunkConverter(
      ChunkReader chunk,
      SharedStacks shared,
      KnownStacks known,
      ConversionOptions options,
      SpanIntervals intervals,
      Set<ProfileType> weighted,
      long from,
      long to)
      throws IOException {
    this.chunk = chunk;
    this.options = options;
    this.intervals = intervals;
    this.weighted = weighted;
    this.from = from;
    this.to = to;
    this.frames = new FrameLocations(chunk, shared, known, options.descriptors());
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

  /**
   * Converts all events.
   *
   * @param visitors who else is told of events, of which none are to be converted
   */
  void convert(Map<EventLayout, EventVisitor> visitors) throws IOException {
    Map<EventLayout, EventBatch> batches = new LinkedHashMap<>();
    for (EventSource source : EventSource.of(options.types())) {
      subscribe(source, batches);
    }
    if (batches.isEmpty() && visitors.isEmpty()) {
      return;
    }
    EventDispatcher dispatcher = new EventDispatcher(batches, visitors);
    boolean more;
    do {
      more = chunk.forNextEvents(EventBatch.CAPACITY, dispatcher);
      for (EventBatch batch : batches.values()) {
        add(batch);
      }
    } while (more);
  }

  private void subscribe(EventSource source, Map<EventLayout, EventBatch> batches)
      throws IOException {
    if (!chunk.types().has(source.event())) {
      return;
    }
    List<String> wanted = new ArrayList<>();
    for (List<String> names :
        List.of(
            source.time(),
            source.thread(),
            source.value(),
            source.weight(),
            source.type(),
            EventBatch.COMMON_FIELDS)) {
      names.stream()
          .filter(name -> !wanted.contains(name) && chunk.types().has(source.event(), name))
          .forEach(wanted::add);
    }
    @Nullable EventLayout layout = chunk.subscribe(source.event(), wanted.toArray(String[]::new));
    if (layout != null) {
      int typeKey =
          source.typeAttribute().isEmpty()
              ? 0
              : dictionary.strings().intern(source.typeAttribute());
      batches.put(layout, new EventBatch(source, layout, wanted, typeKey));
    }
  }

  private void add(EventBatch batch) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    int size = select(batch);
    frames.find(batch.stackTraces, batch.stacks, size);
    findAttributes(batch, size);
    findLinks(batch, size);
    addSamples(batch, size);
    batch.clear();
  }

  /**
   * Moves the events that are wanted to the front, with their times in nanoseconds since the epoch;
   * the result is their number.
   */
  private int select(EventBatch batch) throws IOException {
    int selected = 0;
    for (int i = 0; i < batch.size(); i++) {
      long time = chunk.chunk().nanosOf(batch.times[i]);
      if (time < from || time >= to) {
        continue;
      }
      if (time <= 0 || time == Long.MAX_VALUE) {
        untimely++;
        continue;
      }
      ProfileType type = typeOf(batch.source, batch.states[i]);
      if (!options.types().contains(type)) {
        continue;
      }
      if (batch.failures[i] != 0) {
        failed++;
        continue;
      }
      batch.move(i, selected);
      batch.times[selected] = time;
      batch.profiles[selected] = type;
      selected++;
    }
    if (batch.unmeasured()) {
      unmeasured += selected;
    }
    return selected;
  }

  /**
   * What async-profiler saw of threads by the clock it writes as execution samples with a state,
   * and of its samples of objects some as buffers.
   */
  private ProfileType typeOf(EventSource source, long state) throws IOException {
    ProfileType other = source.asyncProfiler();
    if (!asyncProfiler || other != ProfileType.WALL || source.profile() == other) {
      return asyncProfiler ? other : source.profile();
    }
    @Nullable String name = chunk.threadState(state);
    return name == null || name.equals(AttributeCombinations.NO_STATE) ? ProfileType.CPU : other;
  }

  private void findAttributes(EventBatch batch, int size) throws IOException {
    boolean ofObjects = batch.ofObjects();
    for (int i = 0; i < size; i++) {
      boolean truncated = batch.stacks[i] < 0;
      if (truncated) {
        batch.stacks[i] = ~batch.stacks[i];
      }
      long type = ofObjects ? classOf(batch.types[i]) : batch.types[i];
      batch.attributeSets[i] =
          attributes.set(batch.threads[i], type, batch.typeKey, batch.states[i], truncated);
    }
  }

  private long classOf(long object) throws IOException {
    return object != 0 && oldObjects.find(object) ? oldObjects.longValue(0) : 0;
  }

  private void findLinks(EventBatch batch, int size) throws IOException {
    if (!batch.hasSpans() && intervals.isEmpty()) {
      return;
    }
    for (int i = 0; i < size; i++) {
      batch.links[i] =
          batch.spans[i] != 0
              ? dictionary.links().intern(batch.spans[i], batch.roots[i])
              : linkByInterval(batch.threads[i], batch.times[i]);
    }
  }

  private int linkByInterval(long thread, long time) throws IOException {
    if (intervals.isEmpty() || thread == 0) {
      return 0;
    }
    return intervals.link(threadKey(thread), time, dictionary.links());
  }

  private long threadKey(long thread) throws IOException {
    if (thread != lastThread) {
      lastThread = thread;
      lastThreadKey = threads.find(thread) ? SpanEvents.threadKey(threads) : 0;
    }
    return lastThreadKey;
  }

  private void addSamples(EventBatch batch, int size) throws IOException {
    boolean ticks = batch.source.measure() == EventSource.Measure.TICKS;
    boolean withPeriods = batch.hasPeriods();
    boolean withMethods = batch.hasMethods();
    boolean withTimeSpans = batch.hasTimeSpans() && !intervals.isEmpty();
    @Nullable ProfileType last = null;
    @Nullable TypeSamples target = null;
    for (int i = 0; i < size; i++) {
      if (target == null || batch.profiles[i] != last) {
        last = batch.profiles[i];
        target = samplesOf(last);
      }
      int stack = batch.stacks[i];
      if (withMethods && batch.methods[i] != 0) {
        // HotSpot's stack of a traced method begins with its caller; async-profiler names no method
        stack = frames.withLeaf(stack, batch.methods[i]);
      }
      if (withPeriods) {
        target.tellPeriod(chunk.chunk().durationOf(batch.periods[i]));
      }
      if (withTimeSpans && batch.timeSpans[i] > 0 && hasChangesWithin(batch, i)) {
        addOneByOne(target, batch, i, stack);
        continue;
      }
      long value = ticks ? chunk.chunk().durationOf(batch.values[i]) : batch.values[i];
      target.add(stack, batch.attributeSets[i], batch.links[i], batch.times[i], value);
    }
  }

  private boolean hasChangesWithin(EventBatch batch, int event) throws IOException {
    long first = batch.times[event];
    return !intervals.staySame(
        threadKey(batch.threads[event]),
        first,
        first + chunk.chunk().durationOf(batch.timeSpans[event]));
  }

  /**
   * An event for several samples of a thread that waited, in more than one span. Of the first and
   * the last it is known when they were; the others lie in between about evenly, and one that may
   * be on either side of a change has no link.
   */
  private void addOneByOne(TypeSamples target, EventBatch batch, int event, int stack)
      throws IOException {
    long thread = threadKey(batch.threads[event]);
    long count = batch.values[event];
    long first = batch.times[event];
    long last = first + chunk.chunk().durationOf(batch.timeSpans[event]);
    if (count > MOST_AT_ONCE) {
      target.add(stack, batch.attributeSets[event], 0, first, count);
      return;
    }
    long step = (last - first) / Math.max(1, count - 1);
    int link = batch.links[event];
    long begin = 0;
    for (long i = 1; i < count; i++) {
      long time = i == count - 1 ? last : first + i * step;
      boolean certain = time == last || intervals.staySame(thread, time - step, time + step);
      int next = certain ? intervals.link(thread, time, dictionary.links()) : 0;
      if (next != link) {
        target.add(stack, batch.attributeSets[event], link, first + begin * step, i - begin);
        begin = i;
        link = next;
      }
    }
    target.add(stack, batch.attributeSets[event], link, first + begin * step, count - begin);
  }

  private TypeSamples samplesOf(ProfileType type) {
    return samples.computeIfAbsent(
        type, key -> new TypeSamples(weighted.contains(key), options.aggregate()));
  }
}
