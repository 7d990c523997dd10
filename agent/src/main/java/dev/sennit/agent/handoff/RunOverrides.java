/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which threads begin where a context can be put in place. {@code Thread.run} is changed with the
 * rest of the JDK; a class with a {@code run} of its own is changed when the first of its threads
 * is started for a request.
 */
final class RunOverrides {
  /** Their threads serve everybody, and are started by whoever comes first. */
  private static final Set<String> OF_POOLS =
      Set.of(
          "io.netty.util.concurrent.FastThreadLocalThread",
          "org.apache.tomcat.util.threads.TaskThread");

  private final Instrumentation instrumentation;
  private final Set<Class<?>> wanted = ConcurrentHashMap.newKeySet();
  private final VarHandle holder;
  private final VarHandle task;

  private final ClassValue<Boolean> changed =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return change(type);
        }
      };

  RunOverrides(Instrumentation instrumentation) throws ReflectiveOperationException {
    this.instrumentation = instrumentation;
    Class<?> fields = Class.forName("java.lang.Thread$FieldHolder");
    MethodHandles.Lookup caller = MethodHandles.lookup();
    this.holder =
        MethodHandles.privateLookupIn(Thread.class, caller)
            .findVarHandle(Thread.class, "holder", fields);
    this.task =
        MethodHandles.privateLookupIn(fields, caller).findVarHandle(fields, "task", Runnable.class);
  }

  /** Whether a thread that is about to be started will ask for what it was given. */
  boolean follows(Thread thread) {
    Class<?> type = thread.getClass();
    Class<?> runs = declarerOfRun(type);
    if (runs == Thread.class) {
      Object target = task.get(holder.get(thread));
      return target != null
          && target.getClass().getClassLoader() != null
          && !OF_POOLS.contains(type.getName());
    }
    return runs.getClassLoader() != null && !OF_POOLS.contains(type.getName()) && changed.get(runs);
  }

  private static Class<?> declarerOfRun(Class<?> type) {
    try {
      return type == Thread.class ? type : type.getMethod("run").getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every thread has a run()", e);
    }
  }

  /** Whether a class was changed by this. */
  boolean wants(Class<?> type) {
    return wanted.contains(type);
  }

  private boolean change(Class<?> type) {
    // Changing a class takes locks, on which a virtual thread could move.
    if (Thread.currentThread().isVirtual() || !instrumentation.isModifiableClass(type)) {
      return false;
    }
    wanted.add(type);
    try {
      instrumentation.retransformClasses(type);
      return true;
    } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
      wanted.remove(type);
      return false;
    }
  }
}
