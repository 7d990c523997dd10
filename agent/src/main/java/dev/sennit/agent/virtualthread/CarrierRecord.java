/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.VirtualThreadContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens at a hook: the carrier's record gets the context of the virtual thread that is about
 * to run, or none when one has left.
 *
 * <p>The current thread is the carrier, so {@code ThreadLocal.get} would ask the wrong one; the
 * JDK's own {@code get(Thread)} asks the right one. It is not asked for a thread that has no
 * thread-local variable at all, for which it would make a table.
 */
final class CarrierRecord implements Consumer<Thread>, Runnable {
  private static final ThreadLocal<VirtualThreadContext> CONTEXTS =
      ContextApi.followVirtualThreads();

  private static final MethodHandle GET;
  private static final MethodHandle TABLE;

  static {
    try {
      MethodHandles.Lookup caller = MethodHandles.lookup();
      GET =
          MethodHandles.privateLookupIn(ThreadLocal.class, caller)
              .findVirtual(
                  ThreadLocal.class, "get", MethodType.methodType(Object.class, Thread.class));
      TABLE =
          MethodHandles.privateLookupIn(Thread.class, caller)
              .findGetter(
                  Thread.class,
                  "threadLocals",
                  Class.forName("java.lang.ThreadLocal$ThreadLocalMap"))
              .asType(MethodType.methodType(Object.class, Thread.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("ThreadLocal is not as expected: " + e, e);
    }
  }

  /**
   * Made when {@code java.lang} is open, and made to do all it does once, so that no carrier is the
   * first to load a class or to link a call.
   */
  static CarrierRecord prepare() {
    CarrierRecord record = new CarrierRecord();
    Thread self = Thread.currentThread();
    CONTEXTS.get();
    record.accept(self);
    CONTEXTS.remove();
    record.run();
    return record;
  }

  @Override
  public void accept(Thread virtual) {
    ContextApi.onMount(contextOf(virtual));
  }

  private static @Nullable VirtualThreadContext contextOf(Thread thread) {
    try {
      Object table = (Object) TABLE.invokeExact(thread);
      return table == null
          ? null
          : (VirtualThreadContext) (Object) GET.invokeExact(CONTEXTS, thread);
    } catch (Throwable e) {
      return null;
    }
  }

  @Override
  public void run() {
    ContextApi.onUnmount();
  }
}
