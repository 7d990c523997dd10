/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Work with the context that it was given in. Only where the JDK itself keeps the work inside of an
 * object of its own, so that nobody who looks for a task finds something else.
 */
final class Carried {
  private Carried() {}

  /** A task that takes nothing along, whatever is current where it is handed over. */
  static Runnable bare(Runnable task) {
    return Relay.take() == null ? task : new Bare(task);
  }

  static Runnable runnable(Runnable task) {
    ContextSnapshot context = task instanceof Bare ? null : Relay.take();
    return context == null ? task : new OfRunnable(task, context);
  }

  static <T> Callable<T> callable(Callable<T> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfCallable<>(task, context);
  }

  static <T> Supplier<T> supplier(Supplier<T> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfSupplier<>(task, context);
  }

  static <T, R> Function<T, R> function(Function<T, R> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfFunction<>(task, context);
  }

  static <T, U, R> BiFunction<T, U, R> biFunction(BiFunction<T, U, R> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfBiFunction<>(task, context);
  }

  static <T> Consumer<T> consumer(Consumer<T> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfConsumer<>(task, context);
  }

  static <T, U> BiConsumer<T, U> biConsumer(BiConsumer<T, U> task) {
    ContextSnapshot context = Relay.take();
    return context == null ? task : new OfBiConsumer<>(task, context);
  }

  private record Bare(Runnable task) implements Runnable {
    @Override
    public void run() {
      task.run();
    }

    @Override
    public String toString() {
      return task.toString();
    }
  }

  private record OfRunnable(Runnable task, ContextSnapshot context) implements Runnable {
    @Override
    public void run() {
      ContextSnapshot before = Relay.enter(context);
      try {
        task.run();
      } finally {
        Relay.leave(before);
      }
    }

    @Override
    public String toString() {
      return task.toString();
    }
  }

  private record OfCallable<T>(Callable<T> task, ContextSnapshot context) implements Callable<T> {
    @Override
    public T call() throws Exception {
      ContextSnapshot before = Relay.enter(context);
      try {
        return task.call();
      } finally {
        Relay.leave(before);
      }
    }

    @Override
    public String toString() {
      return task.toString();
    }
  }

  private record OfSupplier<T>(Supplier<T> task, ContextSnapshot context) implements Supplier<T> {
    @Override
    public T get() {
      ContextSnapshot before = Relay.enter(context);
      try {
        return task.get();
      } finally {
        Relay.leave(before);
      }
    }
  }

  private record OfFunction<T, R>(Function<T, R> task, ContextSnapshot context)
      implements Function<T, R> {
    @Override
    public R apply(T value) {
      ContextSnapshot before = Relay.enter(context);
      try {
        return task.apply(value);
      } finally {
        Relay.leave(before);
      }
    }
  }

  private record OfBiFunction<T, U, R>(BiFunction<T, U, R> task, ContextSnapshot context)
      implements BiFunction<T, U, R> {
    @Override
    public R apply(T first, U second) {
      ContextSnapshot before = Relay.enter(context);
      try {
        return task.apply(first, second);
      } finally {
        Relay.leave(before);
      }
    }
  }

  private record OfConsumer<T>(Consumer<T> task, ContextSnapshot context) implements Consumer<T> {
    @Override
    public void accept(T value) {
      ContextSnapshot before = Relay.enter(context);
      try {
        task.accept(value);
      } finally {
        Relay.leave(before);
      }
    }
  }

  private record OfBiConsumer<T, U>(BiConsumer<T, U> task, ContextSnapshot context)
      implements BiConsumer<T, U> {
    @Override
    public void accept(T first, U second) {
      ContextSnapshot before = Relay.enter(context);
      try {
        task.accept(first, second);
      } finally {
        Relay.leave(before);
      }
    }
  }
}
