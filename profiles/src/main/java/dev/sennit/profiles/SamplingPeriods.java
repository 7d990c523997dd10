/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

/** The sampling period of each type of profile, where the recorder says what it was. */
final class SamplingPeriods {
  private SamplingPeriods() {}

  /** The period in the unit of the type; 0 where there is none, or nobody says. */
  static long of(ProfileType type, RecordingFacts facts) {
    return switch (type) {
      case CPU ->
          first(
              facts.period("jdk.ExecutionSample", "interval", "period"),
              facts.period("datadog.ExecutionSample", "interval", "period"));
      case NATIVE -> facts.period("jdk.NativeMethodSample", "period");
      case WALL ->
          first(
              facts.period("profiler.WallClockSample", "wall"),
              facts.period("jdk.ExecutionSample", "wall"),
              facts.period("datadog.MethodSample", "interval", "period"));
      case ALLOC ->
          first(
              facts.period("jdk.ObjectAllocationInNewTLAB", "alloc"),
              facts.period("datadog.ObjectSample", "interval"));
      case NATIVE_MEMORY -> facts.period("profiler.Malloc", "nativemem");
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
