/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.List;
import java.util.Set;

/**
 * One type of events that profiles are made of: what it is called, which profile it belongs to, and
 * which of its fields say what. A field that recorders name differently has several names, of which
 * the first found counts.
 *
 * @param profile what it belongs to
 * @param asyncProfiler what it may belong to where async-profiler wrote it
 * @param thread whose stack it is
 * @param value what {@code measure} is about
 * @param weight what the value is multiplied with, where there is such a field
 * @param type the class it concerns, or the {@link #OBJECT} whose class that is, under the
 *     attribute {@code typeAttribute}
 */
record EventSource(
    String event,
    ProfileType profile,
    ProfileType asyncProfiler,
    Measure measure,
    List<String> time,
    List<String> thread,
    List<String> value,
    List<String> weight,
    List<String> type,
    String typeAttribute) {

  /** What an event counts. */
  enum Measure {
    /** One. */
    COUNT,
    /** The field {@code value} as it is. */
    FIELD,
    /** The field {@code value}, which is in ticks, in nanoseconds. */
    TICKS
  }

  /** The field of an old object, which is a constant that has a class. */
  static final String OBJECT = "object";

  /** The field of an event that stands for several samples, as many as it says. */
  static final String SAMPLES = "samples";

  private static final List<String> START = List.of("startTime");
  private static final List<String> THREAD = List.of("eventThread");
  private static final List<String> SAMPLED = List.of("sampledThread", "eventThread");
  private static final List<String> NONE = List.of();
  private static final List<String> WEIGHT = List.of("weight");
  private static final List<String> DURATION = List.of("duration");
  private static final String ALLOCATED = "jvm.allocation.class";
  private static final String MONITOR = "jvm.monitor.class";

  private static final List<EventSource> ALL =
      List.of(
          weighted("datadog.ExecutionSample", ProfileType.CPU),
          weighted("datadog.MethodSample", ProfileType.WALL),
          new EventSource(
              "datadog.ObjectSample",
              ProfileType.ALLOC,
              ProfileType.ALLOC,
              Measure.FIELD,
              START,
              THREAD,
              List.of("size", "allocationSize"),
              WEIGHT,
              List.of("objectClass"),
              ALLOCATED),
          new EventSource(
              "datadog.HeapLiveObject",
              ProfileType.LIVE,
              ProfileType.LIVE,
              Measure.FIELD,
              START,
              THREAD,
              List.of("size", "allocationSize"),
              WEIGHT,
              List.of("objectClass"),
              ALLOCATED),
          samples("jdk.ExecutionSample", ProfileType.CPU, ProfileType.WALL),
          samples("jdk.NativeMethodSample", ProfileType.NATIVE, ProfileType.NATIVE),
          samples("jdk.CPUTimeSample", ProfileType.CPU_TIME, ProfileType.CPU_TIME),
          allocation("jdk.ObjectAllocationSample", ProfileType.ALLOC, "weight"),
          allocation("jdk.ObjectAllocationInNewTLAB", ProfileType.ALLOC_TLAB, "tlabSize"),
          allocation("jdk.ObjectAllocationOutsideTLAB", ProfileType.ALLOC_TLAB, "allocationSize"),
          new EventSource(
              "jdk.OldObjectSample",
              ProfileType.LIVE,
              ProfileType.LIVE,
              Measure.FIELD,
              List.of("allocationTime", "startTime"),
              THREAD,
              List.of("objectSize"),
              NONE,
              List.of(OBJECT),
              ALLOCATED),
          duration("jdk.JavaMonitorEnter", ProfileType.LOCK, "monitorClass"),
          duration("jdk.JavaMonitorWait", ProfileType.LOCK, "monitorClass"),
          duration("jdk.ThreadPark", ProfileType.PARK, "parkedClass"),
          duration("jdk.ThreadSleep", ProfileType.SLEEP),
          duration("jdk.SocketRead", ProfileType.SOCKET),
          duration("jdk.SocketWrite", ProfileType.SOCKET),
          duration("jdk.FileRead", ProfileType.FILE),
          duration("jdk.FileWrite", ProfileType.FILE),
          duration("jdk.MethodTrace", ProfileType.TRACE),
          duration("jdk.VirtualThreadPinned", ProfileType.PINNED),
          new EventSource(
              "profiler.WallClockSample",
              ProfileType.WALL,
              ProfileType.WALL,
              Measure.FIELD,
              START,
              SAMPLED,
              List.of(SAMPLES),
              NONE,
              NONE,
              ""),
          new EventSource(
              "profiler.Malloc",
              ProfileType.NATIVE_MEMORY,
              ProfileType.NATIVE_MEMORY,
              Measure.FIELD,
              START,
              THREAD,
              List.of("size"),
              NONE,
              NONE,
              ""),
          new EventSource(
              "profiler.LiveObject",
              ProfileType.LIVE,
              ProfileType.LIVE,
              Measure.FIELD,
              List.of("allocationTime", "startTime"),
              THREAD,
              List.of("allocationSize"),
              NONE,
              List.of("objectClass"),
              ALLOCATED),
          duration("profiler.NativeLock", ProfileType.NATIVE_LOCK));

  /** The events that may make profiles of the given types. */
  static List<EventSource> of(Set<ProfileType> types) {
    return ALL.stream()
        .filter(source -> types.contains(source.profile) || types.contains(source.asyncProfiler))
        .toList();
  }

  private static EventSource samples(String event, ProfileType profile, ProfileType asyncProfiler) {
    return new EventSource(
        event, profile, asyncProfiler, Measure.COUNT, START, SAMPLED, NONE, NONE, NONE, "");
  }

  private static EventSource weighted(String event, ProfileType profile) {
    return new EventSource(
        event, profile, profile, Measure.COUNT, START, SAMPLED, NONE, WEIGHT, NONE, "");
  }

  private static EventSource allocation(String event, ProfileType profile, String size) {
    return new EventSource(
        event,
        profile,
        ProfileType.ALLOC,
        Measure.FIELD,
        START,
        THREAD,
        List.of(size),
        NONE,
        List.of("objectClass"),
        ALLOCATED);
  }

  private static EventSource duration(String event, ProfileType profile) {
    return new EventSource(
        event, profile, profile, Measure.TICKS, START, THREAD, DURATION, NONE, NONE, "");
  }

  private static EventSource duration(String event, ProfileType profile, String type) {
    return new EventSource(
        event,
        profile,
        profile,
        Measure.TICKS,
        START,
        THREAD,
        DURATION,
        NONE,
        List.of(type),
        MONITOR);
  }
}
