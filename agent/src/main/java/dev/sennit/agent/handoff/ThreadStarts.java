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
 * outlive whoever needed them first, nor those that a pool starts for itself.
 */
final class ThreadStarts {
  private final TaskTable tasks;
  private final RunOverrides overrides;
  private final MethodHandle setLocal;
  private final ThreadLocal<VirtualThreadContext> contexts = ContextApi.followVirtualThreads();

  ThreadStarts(TaskTable tasks, RunOverrides overrides) throws ReflectiveOperationException {
    this.tasks = tasks;
    this.overrides = overrides;
    this.setLocal =
        MethodHandles.privateLookupIn(ThreadLocal.class, MethodHandles.lookup())
            .findVirtual(
                ThreadLocal.class,
                "set",
                MethodType.methodType(void.class, Thread.class, Object.class));
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
