/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

import dev.sennit.agent.AgentLog;
import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.profiles.OpenContext;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Association with async-profiler, by intervals that samples bound. When a context changes, one
 * look at the thread's data tells whether a sample was taken since the change before. If none was,
 * there is nothing to say. Else all samples since the last interval are of the context that ends
 * now, for no other had any, and an interval up to now says so.
 *
 * <p>So the clock would have to be read only when there was a sample, but for threads that wait. Of
 * one that was sampled in its wait and has hardly run since, async-profiler's timer counts the
 * samples without asking it, and leaves no trace on it. If a context changed meanwhile, they are of
 * the one before or of the one after. Therefore the first contexts after a sample get the time at
 * which they begin, as many as a thread can have while it hardly runs. What is counted in a context
 * without a sample of its own has no interval, and so no span.
 *
 * <p>The interval ends now and not at the last sample: the event of a lock bears the time at which
 * the wait for it began, which may be before that of another sample.
 *
 * <p>A platform thread's state is found by Java's number of the thread, which is never given twice.
 * A virtual thread's is that of its carrier, found by the address of async-profiler's data, each
 * time anew; a new thread at the address of one that has ended takes its place in the map.
 */
public final class SampleAssociation implements Association {
  private static final int PLATFORM_MASK = 4095;
  private static final int CARRIER_MASK = 1023;

  /**
   * A thread that has run for 10 µs since its sample is asked again; to change a context and to
   * wait in it takes far longer than a 256th of that.
   */
  private static final int TIMED_CHANGES = 256;

  private final SampleClock clock;
  private final @Nullable OsThreadState[] platformStates = new OsThreadState[PLATFORM_MASK + 1];

  /** It ends with the profiling it belongs to. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable OsThreadState> ownStates = new ThreadLocal<>();

  private final AtomicReferenceArray<@Nullable OsThreadState> carrierStates =
      new AtomicReferenceArray<>(CARRIER_MASK + 1);
  private final ConcurrentHashMap<Long, OsThreadState> states = new ConcurrentHashMap<>();
  private final LongAdder intervals = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean failureTold = new AtomicBoolean();

  public SampleAssociation(SampleClock clock) {
    this.clock = clock;
  }

  /**
   * Runs every way that {@link #changed} may take, so that no class is initialised in the middle of
   * a virtual thread's mount.
   */
  public void warmUp() {
    changed(1, 1, 1, 1);
    OsThreadState state = ownState(Thread.currentThread());
    if (state != null) {
      // As if there had been a sample: this thread's own, which has no context, matters to nobody.
      state.lastSample--;
    }
    carrierChanged(0, 0, 0, 0);
    stateOfCarrier();
    recordOpenContexts();
  }

  @Override
  public void changed(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    try {
      Thread thread = Thread.currentThread();
      OsThreadState state;
      if (thread.isVirtual()) {
        if (!ContextApi.followsVirtualThreads()) {
          // Nobody would tell when the thread leaves its carrier.
          return;
        }
        state = stateOfCarrier();
      } else {
        state = ownState(thread);
      }
      change(state, traceIdHigh, traceIdLow, spanId, flags);
    } catch (Throwable t) {
      failed(t);
    }
  }

  @Override
  public void carrierChanged(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    try {
      change(ownState(Thread.currentThread()), traceIdHigh, traceIdLow, spanId, flags);
    } catch (Throwable t) {
      failed(t);
    }
  }

  private void change(
      @Nullable OsThreadState state, long traceIdHigh, long traceIdLow, long spanId, int flags) {
    if (state == null || state.isAt(traceIdHigh, traceIdLow, spanId, flags)) {
      return;
    }
    long since = state.since();
    // Before the look at the data: a sample in between is after it, and of the context that begins.
    boolean timed = state.changes < TIMED_CHANGES;
    long begin = timed ? clock.now() : since;
    long lastSample = Memory.getLongOpaque(state.data);
    if (lastSample == state.lastSample) {
      since = begin;
      state.changes += timed ? 1 : 0;
    } else {
      state.lastSample = lastSample;
      state.changes = 0;
      long now = clock.now();
      if (state.hasContext()) {
        clock.emitSpan(since + 1, now, state.traceparent());
        intervals.increment();
      }
      since = now;
    }
    state.set(since, traceIdHigh, traceIdLow, spanId, flags);
  }

  private @Nullable OsThreadState ownState(Thread thread) {
    long threadId = thread.threadId();
    OsThreadState state = platformStates[(int) threadId & PLATFORM_MASK];
    if (state != null && state.threadId == threadId) {
      return state;
    }
    state = ownStates.get();
    return state != null ? state : addState(thread, threadId);
  }

  private @Nullable OsThreadState addState(Thread thread, long threadId) {
    long data = clock.threadData();
    if (data == 0) {
      return null;
    }
    OsThreadState state = add(thread, data);
    platformStates[(int) threadId & PLATFORM_MASK] = state;
    ownStates.set(state);
    return state;
  }

  private @Nullable OsThreadState stateOfCarrier() {
    long data = clock.threadData();
    if (data == 0) {
      return null;
    }
    OsThreadState state = carrierStates.get(carrierSlot(data));
    if (state != null && state.data == data) {
      return state;
    }
    state = states.get(data);
    if (state == null) {
      add(null, data);
      // The map may have made the virtual thread wait, and it may be on another carrier now.
      return null;
    }
    carrierStates.set(carrierSlot(data), state);
    return state;
  }

  private OsThreadState add(@Nullable Thread thread, long data) {
    // Before it is asked for the first time, async-profiler keeps no data of a thread's samples.
    OsThreadState state =
        new OsThreadState(thread, OsThread.id(), data, Memory.getLongOpaque(data), clock.now());
    OsThreadState before = states.put(data, state);
    if (before != null && before.threadId == 0 && before.tid == state.tid) {
      adopt(before, state);
    }
    carrierStates.set(carrierSlot(data), state);
    return state;
  }

  /** A virtual thread set its context here before its carrier was seen; nothing of it is lost. */
  private void adopt(OsThreadState before, OsThreadState state) {
    if (before.hasContext() && before.lastSample != state.lastSample) {
      clock.emitSpan(before.since() + 1, state.since(), before.traceparent());
      intervals.increment();
    }
  }

  private static int carrierSlot(long data) {
    return (int) (data >>> 4 ^ data >>> 14) & CARRIER_MASK;
  }

  /**
   * Until now at the latest, as the clock says before the first of them is looked at: a context
   * that ends meanwhile was still open then.
   */
  @Override
  public int recordOpenContexts() {
    int count = 0;
    long now = clock.now();
    for (OsThreadState state : states.values()) {
      OsThreadState.Open open = state.read();
      if (!isAlive(state)) {
        // Until when it lived is not known, and its number may be another thread's by now.
        states.remove(state.data, state);
      } else if (open != null && open.since() < now) {
        clock.emitOpenContext(
            new OpenContext(open.tid(), open.since(), now, open.traceparent()).encode());
        count++;
      }
    }
    return count;
  }

  private static boolean isAlive(OsThreadState state) {
    Boolean alive = state.isAlive();
    return alive != null ? alive : Proc.hasThread(state.tid);
  }

  @Override
  public String status() {
    return intervals.sum()
        + " intervals, "
        + states.size()
        + " threads"
        + (failures.sum() == 0 ? "" : ", " + failures.sum() + " failures");
  }

  private void failed(Throwable cause) {
    failures.increment();
    if (failureTold.compareAndSet(false, true)) {
      try {
        AgentLog.warn("a change of context is not in the profile", cause);
      } catch (Throwable t) {
        // The application's thread must not notice.
      }
    }
  }
}
