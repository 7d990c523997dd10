/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * The context of whatever thread calls it: the interface that profilers of this family offer to
 * tracers. It has no state of its own, so one instance serves all threads.
 */
public final class ThreadContext {
  private static final ThreadContext CURRENT = new ThreadContext();

  private ThreadContext() {}

  /** The context of the calling thread, whichever that is at the time of each call. */
  public static ThreadContext current() {
    return CURRENT;
  }

  /**
   * Says which span the thread works on; two zeros say none.
   *
   * @return the checksum over both ids, as the record of mode {@code profiler} holds it
   */
  public long put(long spanId, long rootSpanId) {
    ContextApi.set(spanId, rootSpanId);
    return ProfilerRecordDescriptor.checksum(spanId, rootSpanId);
  }

  public long getSpanId() {
    return ContextApi.spanId();
  }

  public long getRootSpanId() {
    return ContextApi.rootSpanId();
  }

  /** Whether contexts are in the ring that outside readers find. */
  public static boolean isOtelMode() {
    return ContextApi.getMode() == ContextStorageMode.OTEL;
  }
}
