/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Set;

/** The sampling period of each type of profile, where the recorder says what it was. */
final class SamplingPeriods {
  private static final String EXECUTION = "jdk.ExecutionSample";
  private static final String WALL = "wall";

  /** What async-profiler calls the events that come by time; all others come by their number. */
  private static final Set<String> TIMERS =
      Set.of("", "cpu", "ctimer", "itimer", "cpu-clock", "task-clock");

  private SamplingPeriods() {}

  /** A period in its unit, 0 where there is none or nobody says. */
  record Period(String type, String unit, long value) {}

  static Period of(ProfileType type, RecordingFacts facts) {
    String event = facts.asyncProfilerEvent();
    if (type == ProfileType.CPU && !event.equals(WALL) && !TIMERS.contains(event)) {
      long interval = facts.asyncProfilerPeriod(EXECUTION, "interval");
      if (interval > 0) {
        return new Period(event, "count", interval);
      }
    }
    return new Period(type.periodType(), type.periodUnit(), value(type, facts));
  }

  private static long value(ProfileType type, RecordingFacts facts) {
    boolean wallOnly = facts.asyncProfilerEvent().equals(WALL);
    return switch (type) {
      case CPU ->
          first(
              wallOnly ? 0 : facts.asyncProfilerPeriod(EXECUTION, "interval"),
              facts.period(EXECUTION, "period"),
              facts.period("datadog.ExecutionSample", "interval", "period"));
      case NATIVE -> facts.period("jdk.NativeMethodSample", "period");
      case WALL ->
          first(
              facts.asyncProfilerPeriod(EXECUTION, WALL),
              wallOnly ? facts.asyncProfilerPeriod(EXECUTION, "interval") : 0,
              facts.period("datadog.MethodSample", "interval", "period"));
      case ALLOC, LIVE ->
          first(
              facts.asyncProfilerPeriod("jdk.ObjectAllocationInNewTLAB", "alloc"),
              facts.period("datadog.ObjectSample", "interval"));
      case NATIVE_MEMORY -> facts.asyncProfilerPeriod("profiler.Malloc", "nativemem");
      default -> 0;
    };
  }

  private static long first(long... periods) {
    for (long period : periods) {
      if (period > 0) {
        return period;
      }
    }
    return 0;
  }
}
