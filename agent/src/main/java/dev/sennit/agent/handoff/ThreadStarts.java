/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.context.thread.VirtualThreadContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Threads take along what is current where they are started. Not those of the JDK, whose threads
 * outlive whoever needed them first, nor those that a pool starts for itself. A record, whose
 * handle the compiler takes for a constant.
 */
record ThreadStarts(
    TaskTable tasks,
    RunOverrides overrides,
    MethodHandle setLocal,
    ThreadLocal<VirtualThreadContext> contexts) {
  static ThreadStarts of(TaskTable tasks, RunOverrides overrides)
      throws ReflectiveOperationException {
    MethodHandle setLocal =
        MethodHandles.privateLookupIn(ThreadLocal.class, MethodHandles.lookup())
            .findVirtual(
                ThreadLocal.class,
                "set",
                MethodType.methodType(void.class, Thread.class, Object.class));
    return new ThreadStarts(tasks, overrides, setLocal, ContextApi.followVirtualThreads());
  }

  void platform(Thread thread) {
    ContextSnapshot context = Relay.take();
    if (context == null || ThreadState.current().muted > 0 || !overrides.follows(thread)) {
      return;
    }
    tasks.put(thread, context);
  }

  /** It is not running yet: nobody else writes to its variables. */
  void virtual(Thread thread) {
    ContextSnapshot context = Relay.take();
    if (context == null) {
      return;
    }
    try {
      setLocal.invokeExact(contexts, thread, (Object) new VirtualThreadContext(context));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
