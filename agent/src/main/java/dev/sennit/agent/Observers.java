/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextObserver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Those who want to know of changes of contexts. Contexts have one observer; the profiler is it, or
 * the sampler of call stacks, which passes on to the profiler.
 */
final class Observers {
  private static @Nullable ContextObserver profiler;
  private static @Nullable UnaryOperator<@Nullable ContextObserver> callStacks;

  private Observers() {}

  /** Null when profiling ends. */
  static synchronized void profiler(@Nullable ContextObserver observer) {
    profiler = observer;
    apply();
  }

  /** Makes an observer for call stacks out of the other one, which may be null; for good. */
  static synchronized void callStacks(UnaryOperator<@Nullable ContextObserver> wrapper) {
    callStacks = wrapper;
    apply();
  }

  private static void apply() {
    ContextApi.observe(callStacks == null ? profiler : callStacks.apply(profiler));
  }
}
