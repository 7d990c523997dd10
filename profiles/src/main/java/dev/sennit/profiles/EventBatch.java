/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.FieldKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events of one type, as they were read, in columns. They are converted batch by batch and column
 * by column: each step is a short loop, which the JVM compiles early and well, where one loop over
 * everything takes it a second.
 */
final class EventBatch {
  static final int CAPACITY = 4096;

  private static final String FAILED = "failed";
  private static final String PERIOD = "samplingPeriod";
  private static final String METHOD = "method";
  private static final String TIME_SPAN = "timeSpan";

  /** The fields that every kind of event may have, beside those that its source names. */
  static final List<String> COMMON_FIELDS =
      List.of(
          "stackTrace", "state", "spanId", "localRootSpanId", FAILED, PERIOD, METHOD, TIME_SPAN);

  final EventSource source;

  /** The string that the class of an event is an attribute under; 0 without a class. */
  final int typeKey;

  long[] times = {};
  long[] threads = {};
  long[] stackTraces = {};

  /** In nanoseconds or ticks, in bytes, or 1; times the weight where there is one. */
  long[] values = {};

  /** Classes, or objects if {@link #ofObjects}. */
  long[] types = {};

  long[] states = {};
  long[] spans = {};
  long[] roots = {};
  long[] failures = {};
  long[] periods = {};
  long[] methods = {};

  /** In ticks, from the first to the last of the samples that an event stands for. */
  long[] timeSpans = {};

  /** What the converter makes of them. */
  int[] stacks = {};

  int[] attributeSets = {};
  int[] links = {};
  ProfileType[] profiles = {};

  private final EventLayout layout;
  private final int time;
  private final int thread;
  private final int stackTrace;
  private final int value;
  private final boolean countsOnes;
  private final int weight;
  private final int type;
  private final int state;
  private final int span;
  private final int root;
  private final int failed;
  private final int period;
  private final int method;
  private final int timeSpan;
  private int size;

  /**
   * A batch of events as {@code layout} shows them.
   *
   * @param fields those of the layout; one that is not there is 0 in all events
   */
  EventBatch(EventSource source, EventLayout layout, List<String> fields, int typeKey) {
    this.source = source;
    this.layout = layout;
    this.typeKey = typeKey;
    time = place(source.time(), fields);
    thread = place(source.thread(), fields);
    stackTrace = place(List.of("stackTrace"), fields);
    value = place(source.value(), fields);
    countsOnes =
        source.measure() == EventSource.Measure.COUNT
            || (source.measure() == EventSource.Measure.FIELD && value < 0);
    weight = place(source.weight(), fields);
    type = place(source.type(), fields);
    state = place(List.of("state"), fields);
    span = place(List.of("spanId"), fields);
    root = place(List.of("localRootSpanId"), fields);
    failed = place(List.of(FAILED), fields);
    period = place(List.of(PERIOD), fields);
    method = place(List.of(METHOD), fields);
    timeSpan = place(List.of(TIME_SPAN), fields);
  }

  private static int place(List<String> names, List<String> fields) {
    return names.stream().filter(fields::contains).findFirst().map(fields::indexOf).orElse(-1);
  }

  boolean ofObjects() {
    return source.type().contains(EventSource.OBJECT);
  }

  /** Whether events that should have a value have none, and count as one each. */
  boolean unmeasured() {
    return source.measure() == EventSource.Measure.FIELD && value < 0;
  }

  boolean hasSpans() {
    return span >= 0;
  }

  boolean hasPeriods() {
    return period >= 0;
  }

  boolean hasMethods() {
    return method >= 0;
  }

  /** Whether an event may stand for samples of several moments, of which it tells the last. */
  boolean hasTimeSpans() {
    return timeSpan >= 0 && source.value().contains(EventSource.SAMPLES);
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Takes the event that the layout shows. */
  void take() {
    if (times.length == 0) {
      allocate();
    }
    int i = size;
    times[i] = get(time);
    threads[i] = get(thread);
    stackTraces[i] = get(stackTrace);
    values[i] = weighted(countsOnes ? 1 : get(value));
    types[i] = get(type);
    states[i] = get(state);
    spans[i] = get(span);
    roots[i] = get(root);
    failures[i] = get(failed);
    periods[i] = get(period);
    methods[i] = get(method);
    timeSpans[i] = get(timeSpan);
    size = i + 1;
  }

  /** Most kinds of events are not in a recording, though its chunks describe them. */
  private void allocate() {
    times = new long[CAPACITY];
    threads = new long[CAPACITY];
    stackTraces = new long[CAPACITY];
    values = new long[CAPACITY];
    types = new long[CAPACITY];
    states = new long[CAPACITY];
    spans = new long[CAPACITY];
    roots = new long[CAPACITY];
    failures = new long[CAPACITY];
    periods = new long[CAPACITY];
    methods = new long[CAPACITY];
    timeSpans = new long[CAPACITY];
    stacks = new int[CAPACITY];
    attributeSets = new int[CAPACITY];
    links = new int[CAPACITY];
    profiles = new ProfileType[CAPACITY];
  }

  private long get(int place) {
    return place < 0 ? 0 : layout.longValue(place);
  }

  private long weighted(long value) {
    if (weight < 0) {
      return value;
    }
    @Nullable FieldKind kind = layout.kind(weight);
    if (kind == FieldKind.FLOAT || kind == FieldKind.DOUBLE) {
      double factor = layout.doubleValue(weight);
      return factor > 0 ? Math.round(value * factor) : value;
    }
    long factor = layout.longValue(weight);
    return factor > 0 ? value * factor : value;
  }

  /** Puts event {@code from} in the place of event {@code to}, which is not wanted. */
  void move(int from, int to) {
    threads[to] = threads[from];
    stackTraces[to] = stackTraces[from];
    values[to] = values[from];
    types[to] = types[from];
    states[to] = states[from];
    spans[to] = spans[from];
    roots[to] = roots[from];
    periods[to] = periods[from];
    methods[to] = methods[from];
    timeSpans[to] = timeSpans[from];
  }
}
