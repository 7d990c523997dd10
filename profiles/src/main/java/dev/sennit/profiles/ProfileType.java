/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The kinds of profiles that recordings hold. One kind becomes one profile; what is measured in
 * different ways is never mixed in one.
 */
public enum ProfileType {
  /** Threads that ran, as a sampler of threads saw them. */
  CPU("cpu", "samples", "count", "cpu", "nanoseconds"),
  /** Threads that ran, sampled by the processor time they used. */
  CPU_TIME("cpu-time", "samples", "count", "cpu", "nanoseconds"),
  /**
   * Threads in native code, which HotSpot samples at a rate of their own. Some of them wait there,
   * for a socket to be read perhaps, so their period is none of processor time.
   */
  NATIVE("native", "samples", "count", "native", "nanoseconds"),
  /** Threads, whatever they did. */
  WALL("wall", "samples", "count", "wall", "nanoseconds"),
  /** Objects allocated. */
  ALLOC("alloc-samples", "allocated_space", "bytes", "allocated_space", "bytes"),
  /**
   * Buffers that HotSpot gave to threads to allocate in, and objects outside of them. It is the
   * same memory again where objects are sampled too.
   */
  ALLOC_TLAB("alloc-tlab", "allocated_space", "bytes", "allocated_space", "bytes"),
  /** Objects that were still alive at the end. */
  LIVE("live", "inuse_space", "bytes", "allocated_space", "bytes"),
  /** Memory allocated by native code. */
  NATIVE_MEMORY("nativemem", "allocated_native_space", "bytes", "allocated_native_space", "bytes"),
  /** Waiting for a monitor, or in one. */
  LOCK("lock-contention", "lock_delay", "nanoseconds", "lock_delay", "nanoseconds"),
  /** Waiting for a lock of native code. */
  NATIVE_LOCK("nativelock", "native_lock_delay", "nanoseconds", "native_lock_delay", "nanoseconds"),
  /** Threads parked. */
  PARK("park", "park_delay", "nanoseconds", "park_delay", "nanoseconds"),
  /** Threads asleep. */
  SLEEP("sleep", "sleep_delay", "nanoseconds", "sleep_delay", "nanoseconds"),
  /** Reading from and writing to sockets. */
  SOCKET("socket", "socket_delay", "nanoseconds", "socket_delay", "nanoseconds"),
  /** Reading from and writing to files. */
  FILE("file", "file_delay", "nanoseconds", "file_delay", "nanoseconds"),
  /** Methods that were traced. */
  TRACE("trace", "method_duration", "nanoseconds", "method_duration", "nanoseconds"),
  /** Virtual threads that could not leave their carrier. */
  PINNED("pinned", "pinned_delay", "nanoseconds", "pinned_delay", "nanoseconds");

  private final String optionName;
  private final String sampleType;
  private final String sampleUnit;
  private final String periodType;
  private final String periodUnit;

  ProfileType(
      String optionName,
      String sampleType,
      String sampleUnit,
      String periodType,
      String periodUnit) {
    this.optionName = optionName;
    this.sampleType = sampleType;
    this.sampleUnit = sampleUnit;
    this.periodType = periodType;
    this.periodUnit = periodUnit;
  }

  /** What it is called in options, and in the attribute {@code profile.type} of a profile. */
  public String optionName() {
    return optionName;
  }

  public String sampleType() {
    return sampleType;
  }

  public String sampleUnit() {
    return sampleUnit;
  }

  public String periodType() {
    return periodType;
  }

  public String periodUnit() {
    return periodUnit;
  }

  /** Whether events have a value of their own; else each counts as one. */
  boolean isWeighted() {
    return !sampleUnit.equals("count");
  }

  /**
   * The type of that name.
   *
   * @throws IllegalArgumentException naming the right ones
   */
  public static ProfileType parse(String name) {
    for (ProfileType type : values()) {
      if (type.optionName.equals(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is not a profile type; use one of "
            + Arrays.stream(values())
                .map(ProfileType::optionName)
                .collect(Collectors.joining(", ")));
  }
}
