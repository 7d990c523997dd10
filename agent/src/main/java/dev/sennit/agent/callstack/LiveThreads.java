/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this JVM as objects, for what a dump does not tell: names that would break its
 * lines, names of virtual threads, and virtual threads that wait. The latter are found where {@code
 * jcmd Thread.dump_to_file} finds them, if the JDK lets us.
 */
final class LiveThreads {
  /** What one dump may take of virtual threads that wait; a program may have a million. */
  static final int MAX_PARKED = 10_000;

  private final @Nullable MethodHandle root;
  private final @Nullable MethodHandle children;
  private final @Nullable MethodHandle threads;

  LiveThreads() {
    @Nullable MethodHandle foundRoot = null;
    @Nullable MethodHandle foundChildren = null;
    @Nullable MethodHandle foundThreads = null;
    try {
      Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
      Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      foundRoot = lookup.unreflect(containers.getMethod("root"));
      foundChildren =
          lookup
              .unreflect(container.getMethod("children"))
              .asType(MethodType.methodType(Stream.class, Object.class));
      foundThreads =
          lookup
              .unreflect(container.getMethod("threads"))
              .asType(MethodType.methodType(Stream.class, Object.class));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      foundRoot = null;
    }
    root = foundRoot;
    children = foundChildren;
    threads = foundThreads;
  }

  /** Whether virtual threads can be found. */
  boolean knowsVirtualThreads() {
    return root != null;
  }

  /** All platform threads but those that the JVM hides. */
  static List<Thread> platformThreads() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] found = new Thread[group.activeCount() + 16];
    int count = group.enumerate(found, true);
    while (count == found.length) {
      found = new Thread[2 * count];
      count = group.enumerate(found, true);
    }
    return List.of(Arrays.copyOf(found, count));
  }

  /** The numbers of those among {@code threads} that carry virtual threads, or would. */
  static Set<Long> carriers(List<Thread> threads) {
    return threads.stream()
        .filter(thread -> thread.getClass().getName().equals("jdk.internal.misc.CarrierThread"))
        .map(Thread::threadId)
        .collect(Collectors.toSet());
  }

  /** The names of the virtual threads with these numbers, as far as they are still there. */
  Map<Long, String> virtualThreadNames(Set<Long> numbers) {
    Map<Long, String> names = new HashMap<>();
    try (Stream<Thread> all = virtualThreads()) {
      all.filter(thread -> numbers.contains(thread.threadId()))
          .limit(numbers.size())
          .forEach(thread -> names.put(thread.threadId(), thread.getName()));
    }
    return names;
  }

  /** Virtual threads that are not among {@code seen}, with their stacks as they are now. */
  List<ThreadStack> parked(Set<Long> seen) {
    List<ThreadStack> parked = new ArrayList<>();
    try (Stream<Thread> all = virtualThreads()) {
      all.filter(thread -> !seen.contains(thread.threadId()))
          .limit(MAX_PARKED)
          .forEach(
              thread -> {
                Thread.State state = thread.getState();
                StackTraceElement[] stack = thread.getStackTrace();
                if (stack.length > 0
                    && (state == Thread.State.WAITING
                        || state == Thread.State.TIMED_WAITING
                        || state == Thread.State.BLOCKED)) {
                  parked.add(parked(thread, state, stack));
                }
              });
    }
    return parked;
  }

  private static ThreadStack parked(Thread thread, Thread.State state, StackTraceElement[] stack) {
    boolean blocked = state == Thread.State.BLOCKED;
    return new ThreadStack(
        thread.getName(),
        Kind.PARKED,
        thread.threadId(),
        Thread.NORM_PRIORITY,
        0,
        "0ms",
        "0s",
        0,
        0,
        blocked ? "waiting for monitor entry" : "waiting on condition",
        state.name(),
        Stream.of(stack).map(StackFrame::of).toList());
  }

  private Stream<Thread> virtualThreads() {
    List<Thread> found = new ArrayList<>();
    if (root != null) {
      try {
        collect(root.invoke(), found);
      } catch (Throwable t) {
        // A JDK that has changed; then nothing is known of virtual threads.
        return Stream.empty();
      }
    }
    return found.stream();
  }

  @SuppressWarnings("unchecked")
  private void collect(Object container, List<Thread> found) throws Throwable {
    if (threads == null || children == null) {
      return;
    }
    try (Stream<Thread> own = (Stream<Thread>) threads.invokeExact(container)) {
      own.filter(Thread::isVirtual).forEach(found::add);
    }
    try (Stream<Object> nested = (Stream<Object>) children.invokeExact(container)) {
      for (Object child : nested.toList()) {
        collect(child, found);
      }
    }
  }
}
