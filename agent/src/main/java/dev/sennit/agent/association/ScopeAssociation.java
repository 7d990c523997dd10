/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

import dev.sennit.context.memory.OsThread;
import dev.sennit.profiles.OpenScopeEvent;
import dev.sennit.profiles.ScopeEvent;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Association with JDK Flight Recorder: every context is an event, from when it was set until it is
 * replaced. The recorder knows virtual threads by themselves, so carriers do not matter.
 */
public final class ScopeAssociation implements Association {
  private static final int FEW = 1024;

  private final ThreadLocal<Scope> scopes = ThreadLocal.withInitial(this::addScope);
  private final Queue<Scope> all = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final LongAdder events = new LongAdder();
  private volatile int crowd = FEW;

  /** The scope that is open on a thread. */
  private static final class Scope {
    private final WeakReference<Thread> thread;
    private final long threadKey;
    private volatile @Nullable Running running;

    Scope(Thread thread) {
      this.thread = new WeakReference<>(thread);
      this.threadKey = thread.isVirtual() ? -thread.threadId() : OsThread.id();
    }

    boolean isOver() {
      Thread strong = thread.get();
      return strong == null || !strong.isAlive();
    }
  }

  /** An event that was begun, and when by {@link System#nanoTime}. */
  private record Running(ScopeEvent event, long begin) {}

  @Override
  public void changed(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    try {
      Scope scope = scopes.get();
      Running running = scope.running;
      if (running != null) {
        ScopeEvent event = running.event;
        if (event.spanId() == spanId
            && event.traceIdLow() == traceIdLow
            && event.traceIdHigh() == traceIdHigh) {
          return;
        }
        event.commit();
        events.increment();
      }
      if (spanId == 0) {
        scope.running = null;
        return;
      }
      ScopeEvent event = new ScopeEvent(traceIdHigh, traceIdLow, spanId);
      event.begin();
      scope.running = new Running(event, System.nanoTime());
    } catch (Throwable t) {
      // The application's thread must not notice.
    }
  }

  @Override
  public void carrierChanged(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    // Samples name the virtual thread.
  }

  private Scope addScope() {
    Scope scope = new Scope(Thread.currentThread());
    all.add(scope);
    if (count.incrementAndGet() > crowd) {
      prune();
    }
    return scope;
  }

  private void prune() {
    for (Iterator<Scope> each = all.iterator(); each.hasNext(); ) {
      if (each.next().isOver()) {
        each.remove();
        count.decrementAndGet();
      }
    }
    crowd = Math.max(FEW, 2 * count.get());
  }

  @Override
  public int recordOpenContexts() {
    prune();
    int open = 0;
    for (Scope scope : all) {
      OpenScopeEvent record = new OpenScopeEvent();
      record.begin();
      long now = System.nanoTime();
      Running running = scope.running;
      if (running != null && running.begin < now) {
        record.describe(scope.threadKey, now - running.begin, running.event);
        record.commit();
        open++;
      }
    }
    return open;
  }

  @Override
  public String status() {
    return events.sum() + " scopes, " + count.get() + " threads";
  }
}
