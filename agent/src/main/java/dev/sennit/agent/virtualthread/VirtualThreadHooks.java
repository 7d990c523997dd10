/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import dev.sennit.agent.jdk.JavaLang;
import dev.sennit.context.ContextLog;
import dev.sennit.context.thread.ContextApi;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the record of a carrier in step with the virtual thread that is mounted on it.
 *
 * <p>Nothing is done, and nothing paid, until a virtual thread sets a context for the first time:
 * before that there is nothing to carry along. That thread then waits a moment until {@code
 * java.lang.VirtualThread} has its hooks. If that takes too long it goes on without, and its
 * context shows when it is mounted again or sets the next. Where they cannot be had, contexts of
 * virtual threads are not written at all: no record says more than one that lies.
 */
public final class VirtualThreadHooks {
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  /**
   * How long a thread of the application waits at most; a small part of it as a rule. Without an
   * end it could wait for itself: another agent is asked about the class as well, and may want a
   * lock that this thread holds.
   */
  private static final long PATIENCE_MILLIS = 1_000;

  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private final Instrumentation instrumentation;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile @Nullable CarrierRecord record;

  private VirtualThreadHooks(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * From now on contexts follow virtual threads. Calling it again changes nothing.
   *
   * @return whether this JVM lets classes be changed, without which no hook can be placed
   */
  public static boolean install(Instrumentation instrumentation) {
    if (INSTALLED.compareAndSet(false, true)) {
      VirtualThreadHooks hooks = new VirtualThreadHooks(instrumentation);
      var _ = ContextApi.followVirtualThreads(hooks::ready);
    }
    return instrumentation.isRetransformClassesSupported();
  }

  /**
   * The same, with the hooks in place when it returns, or a line in the log that says why not.
   * Called on a platform thread.
   */
  public static void installNow(Instrumentation instrumentation) {
    if (INSTALLED.compareAndSet(false, true)) {
      VirtualThreadHooks hooks = new VirtualThreadHooks(instrumentation);
      hooks.begun.set(true);
      hooks.place();
      var _ = ContextApi.followVirtualThreads(hooks::ready);
    }
  }

  /** Asked by a virtual thread that has a context to write. */
  private boolean ready() {
    if (begun.compareAndSet(false, true)) {
      // A platform thread of our own: changing a class takes locks on which a virtual thread could
      // move.
      Thread.ofPlatform().daemon().name("sennit-virtual-threads").start(this::place);
    }
    if (done.getCount() > 0) {
      try {
        var _ = done.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    CarrierRecord made = record;
    return made != null && made.isOpen();
  }

  private void place() {
    try {
      JavaLang.open(instrumentation);
      CarrierRecord made = CarrierRecord.prepare();
      record = made;
      HookClass.define(made);
      retransform();
      made.open();
    } catch (Throwable e) {
      ContextLog.warn(
          "contexts of virtual threads are not published on Java " + Runtime.version() + ": " + e);
    } finally {
      done.countDown();
    }
  }

  private void retransform() throws ClassNotFoundException, UnmodifiableClassException {
    Class<?> type = Class.forName(VIRTUAL_THREAD);
    HookTransformer transformer = new HookTransformer(type);
    instrumentation.addTransformer(transformer, true);
    try {
      instrumentation.retransformClasses(type);
    } finally {
      // One that stays would be shown every class that the application loads from now on.
      instrumentation.removeTransformer(transformer);
    }
    transformer.requireSuccess();
  }
}
