/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What {@link HandOffBridge} calls, as objects of JDK types. */
final class Parts {
  private final TaskTable tasks;
  private final QueuedTasks queued;
  private final RequestReads reads;
  private final ThreadStarts starts;

  /** The pool that virtual threads run on: its tasks are their bursts. */
  private final Object carriers;

  /** The class of the threads of that pool. */
  private final Class<?> carrier;

  Parts(
      TaskTable tasks,
      QueuedTasks queued,
      RequestReads reads,
      ThreadStarts starts,
      Object carriers,
      Class<?> carrier) {
    this.tasks = tasks;
    this.queued = queued;
    this.reads = reads;
    this.starts = starts;
    this.carriers = carriers;
    this.carrier = carrier;
  }

  /** In the order that the bridge expects. */
  Object[] inOrder() {
    return new Object[] {
      (Consumer<Object>) this::attach,
      (Function<Object, @Nullable Object>) this::begin,
      (Consumer<@Nullable Object>) Parts::end,
      (Predicate<Object>) this::isOfJvm,
      (Consumer<Thread>) starts::platform,
      (Consumer<Thread>) starts::virtual,
      (LongSupplier) reads::before,
      (LongConsumer) reads::after,
      (Runnable) reads::beforeWrite,
      (Runnable) reads::selecting,
      (Runnable) () -> ThreadState.current().muted++,
      (Runnable) () -> ThreadState.current().muted--,
      (UnaryOperator<Runnable>) Carried::bare,
      (UnaryOperator<Runnable>) Carried::runnable,
      (UnaryOperator<Callable<?>>) Carried::callable,
      (UnaryOperator<Supplier<?>>) Carried::supplier,
      (UnaryOperator<Function<?, ?>>) Carried::function,
      (UnaryOperator<BiFunction<?, ?, ?>>) Carried::biFunction,
      (UnaryOperator<Consumer<?>>) Carried::consumer,
      (UnaryOperator<BiConsumer<?, ?>>) Carried::biConsumer,
      (BinaryOperator<Object>) queued::nodeOf,
      (Consumer<Object>) queued::taken,
      (Runnable) () -> ThreadState.current().expectsTask = true,
    };
  }

  @SuppressWarnings("ReferenceEquality") // a pool is equal to itself alone
  private boolean isOfJvm(Object pool) {
    return pool == carriers;
  }

  private void attach(Object task) {
    if (bringsItsOwn(task)) {
      return;
    }
    ContextSnapshot context = Relay.take();
    if (context != null) {
      tasks.put(task, context);
    }
  }

  /** Tasks that the JDK and Netty make have work inside that was given its context before. */
  static boolean bringsItsOwn(Object task) {
    return task instanceof FutureTask
        || task instanceof ScheduledFuture
        || task instanceof CompletableFuture.AsynchronousCompletionTask;
  }

  @SuppressWarnings("ReferenceEquality") // threads and classes are what they are
  private @Nullable Object begin(Object task) {
    Thread thread = Thread.currentThread();
    if (thread.getClass() == carrier) {
      return null;
    }
    ContextSnapshot carried = bringsItsOwn(task) ? null : contextOf(task);
    if (carried == null) {
      return Relay.current();
    }
    if (task == thread) {
      ThreadState.current().expires = System.nanoTime() + RequestReads.LONGEST_START;
    }
    return Relay.enter(carried);
  }

  private @Nullable ContextSnapshot contextOf(Object task) {
    ContextSnapshot queuedWith = ThreadState.current().contextOf(task);
    ContextSnapshot kept = tasks.take(task);
    return queuedWith == null ? kept : queuedWith;
  }

  private static void end(@Nullable Object before) {
    if (before instanceof ContextSnapshot context) {
      Relay.leave(context);
    }
  }
}
