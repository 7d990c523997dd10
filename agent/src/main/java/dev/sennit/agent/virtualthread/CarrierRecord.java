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
   * Hooks work as soon as the JVM has changed the class, which is before anybody can know it. Until
   * this says so, they show nothing and virtual threads write nothing: if one of the two began
   * before the other, a record would keep what its thread has left behind.
   */
  private volatile boolean open;

  private CarrierRecord() {}

  /**
   * Made when {@code java.lang} is open, and made to do all it does once, so that no carrier is the
   * first to load a class or to link a call.
   */
  static CarrierRecord prepare() {
    CarrierRecord record = new CarrierRecord();
    Thread self = Thread.currentThread();
    CONTEXTS.get();
    record.accept(self);
    mounted(self);
    CONTEXTS.remove();
    record.run();
    unmounted();
    return record;
  }

  /** From now on hooks show what virtual threads write. */
  void open() {
    open = true;
  }

  boolean isOpen() {
    return open;
  }

  @Override
  public void accept(Thread virtual) {
    if (open) {
      mounted(virtual);
    }
  }

  @Override
  public void run() {
    if (open) {
      unmounted();
    }
  }

  private static void mounted(Thread virtual) {
    ContextApi.onMount(contextOf(virtual));
  }

  private static void unmounted() {
    ContextApi.onUnmount();
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
}
