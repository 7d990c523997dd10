/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Takes the context of a thread, and gives it to another for the time of a task. Snapshots that
 * leave here are not changed any more.
 */
public final class Relay {
  private static final ContextSnapshot NONE = new ContextSnapshot();

  /** False once an SDK says what threads are doing: then it is not for us to say. */
  private static volatile boolean on = true;

  private Relay() {}

  static void stop() {
    on = false;
  }

  public static boolean isOn() {
    return on;
  }

  /** What this thread is doing; null for nothing. */
  static @Nullable ContextSnapshot take() {
    if (ContextApi.spanId() == 0 || !on) {
      return null;
    }
    ContextSnapshot taken = new ContextSnapshot();
    return ContextApi.get(taken) ? taken : null;
  }

  /** The same, into an object that the caller has already; false for nothing. */
  public static boolean take(ContextSnapshot into) {
    return ContextApi.spanId() != 0 && on && ContextApi.get(into);
  }

  /**
   * From now on this thread does what was carried to it.
   *
   * @return what it was doing, for {@link #leave}
   */
  public static ContextSnapshot enter(ContextSnapshot carried) {
    ContextSnapshot before = current();
    apply(carried);
    return before;
  }

  /** From now on this thread does nobody's work; the same. */
  static ContextSnapshot enterNone() {
    ContextSnapshot before = current();
    if (before.spanId() != 0) {
      apply(NONE);
    }
    return before;
  }

  /** What this thread is doing, to be put back when a task is done. */
  public static ContextSnapshot current() {
    ContextSnapshot taken = take();
    return taken == null ? NONE : taken;
  }

  /** A task is done: whatever it has left behind goes. */
  public static void leave(ContextSnapshot before) {
    if (ContextApi.spanId() != before.spanId() && on) {
      apply(before);
    }
  }

  private static void apply(ContextSnapshot context) {
    if (on) {
      ContextApi.set(
          context.traceIdHigh(),
          context.traceIdLow(),
          context.spanId(),
          context.rootSpanId(),
          context.flags());
    }
  }
}
