/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import org.jspecify.annotations.Nullable;

/** What hand-off knows of a thread beside its context. Only the thread itself uses it. */
final class ThreadState {
  private static final ThreadLocal<ThreadState> STATES = ThreadLocal.withInitial(ThreadState::new);

  /** How often {@link HandOffBridge#mute} was said more than its opposite. */
  int muted;

  /** Whether it waits for many channels at once, and so serves many requests in turn. */
  boolean loops;

  /** The span that it has from a request that it read itself; 0 for none. */
  long adopted;

  /** The number of that request in the thread's slot. */
  long sequence;

  /** When the context that it was started with is over, by System.nanoTime; 0 for never. */
  long expires;

  /** The channel that its event loop has read last; null for one that was never used. */
  ChannelContexts.@Nullable Channel reading;

  /** Whether it asks a pool's queue for a task. */
  boolean expectsTask;

  /** The task that it got from there, until it runs; null if that has no context. */
  @Nullable Object task;

  /** That task's context. */
  @Nullable ContextSnapshot context;

  private ThreadState() {}

  static ThreadState current() {
    return STATES.get();
  }

  /** The context of a task that is about to run, if it came from a queue with one. */
  @SuppressWarnings("ReferenceEquality") // the very task that was queued
  @Nullable ContextSnapshot contextOf(Object begun) {
    if (task == null) {
      expectsTask = false;
      return null;
    }
    ContextSnapshot found = task == begun ? context : null;
    forgetTask();
    return found;
  }

  void forgetTask() {
    expectsTask = false;
    task = null;
    context = null;
  }
}
