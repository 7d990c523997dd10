/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one OS thread: its context, since when samples are of it, and when the last
 * sample was taken that has been accounted for.
 *
 * <p>Only the thread itself writes. Another one reads it at a dump, when the number of writes is
 * the same and even before and after.
 */
final class OsThreadState {
  private static final VarHandle WRITES = writes();
  private static final int ATTEMPTS = 1000;

  /** Java's number of the platform thread; 0 when a virtual thread was seen on it first. */
  final long threadId;

  /** The operating system's number. */
  final int tid;

  /** Address of async-profiler's own data of the thread: when its last sample was taken. */
  final long data;

  private final @Nullable WeakReference<Thread> thread;

  long lastSample;

  /** Of the context, since there was a sample. */
  int changes;

  private long since;
  private long traceIdHigh;
  private long traceIdLow;
  private long spanId;
  private int flags;

  @SuppressWarnings("UnusedVariable") // By its handle.
  private int writes;

  /**
   * A thread without a context.
   *
   * @param since no sample before it is of a context that is set here
   */
  OsThreadState(@Nullable Thread thread, int tid, long data, long lastSample, long since) {
    this.threadId = thread == null ? 0 : thread.threadId();
    this.thread = thread == null ? null : new WeakReference<>(thread);
    this.tid = tid;
    this.data = data;
    this.lastSample = lastSample;
    this.since = since;
  }

  boolean isAt(long newTraceIdHigh, long newTraceIdLow, long newSpanId, int newFlags) {
    return spanId == newSpanId
        && traceIdLow == newTraceIdLow
        && traceIdHigh == newTraceIdHigh
        && flags == newFlags;
  }

  boolean hasContext() {
    return spanId != 0;
  }

  long since() {
    return since;
  }

  String traceparent() {
    return Ids.traceparent(traceIdHigh, traceIdLow, spanId, flags);
  }

  /** Puts another context; samples after {@code newSince} are of it. */
  void set(long newSince, long newTraceIdHigh, long newTraceIdLow, long newSpanId, int newFlags) {
    int before = (int) WRITES.get(this);
    WRITES.setOpaque(this, before + 1);
    VarHandle.releaseFence();
    since = newSince;
    traceIdHigh = newTraceIdHigh;
    traceIdLow = newTraceIdLow;
    spanId = newSpanId;
    flags = newFlags;
    WRITES.setRelease(this, before + 2);
  }

  /** The context, seen by another thread; null when there is none, or it never stands still. */
  @Nullable Open read() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int before = (int) WRITES.getAcquire(this);
      Open open =
          spanId == 0
              ? null
              : new Open(tid, since, Ids.traceparent(traceIdHigh, traceIdLow, spanId, flags));
      VarHandle.acquireFence();
      if ((before & 1) == 0 && before == (int) WRITES.getOpaque(this)) {
        return open;
      }
      Thread.onSpinWait();
    }
    return null;
  }

  /** Whether the thread has not ended; null when that must be asked of the operating system. */
  @Nullable Boolean isAlive() {
    if (thread == null) {
      return null;
    }
    Thread strong = thread.get();
    return strong != null && strong.isAlive();
  }

  /** A context that is open. */
  record Open(int tid, long since, String traceparent) {}

  private static VarHandle writes() {
    try {
      return MethodHandles.lookup().findVarHandle(OsThreadState.class, "writes", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
