/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.util.List;

/**
 * One thread of a dump: what its first two lines say, and its frames, the innermost first.
 *
 * @param number Java's number of the thread; 0 for a thread of the JVM that has none
 * @param cpu with its unit, as the JVM writes it
 * @param elapsed with its unit, as the JVM writes it
 * @param tid the address of the JVM's own structure
 * @param nid the number of the operating system, for a mounted virtual thread its carrier's
 * @param state as it stands after {@code java.lang.Thread.State:}; empty for threads of the JVM
 */
record ThreadStack(
    String name,
    Kind kind,
    long number,
    int priority,
    int osPriority,
    String cpu,
    String elapsed,
    long tid,
    int nid,
    String status,
    String state,
    List<StackFrame> frames) {

  /** What a thread is. */
  enum Kind {
    PLATFORM,
    /** One that carried a virtual thread; these are the carrier's own frames. */
    CARRIER,
    /** A virtual thread that ran on a carrier. */
    MOUNTED,
    /** A virtual thread that waited, seen a little later than the others. */
    PARKED
  }

  ThreadStack {
    frames = List.copyOf(frames);
  }

  ThreadStack withName(String newName) {
    return new ThreadStack(
        newName, kind, number, priority, osPriority, cpu, elapsed, tid, nid, status, state, frames);
  }

  boolean isVirtual() {
    return kind == Kind.MOUNTED || kind == Kind.PARKED;
  }
}
