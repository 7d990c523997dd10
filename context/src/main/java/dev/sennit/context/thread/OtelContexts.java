/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * The ring of mode {@code otel} by itself, for those who want no other: {@link ContextApi} with the
 * mode chosen. Both work on the same ring.
 */
public final class OtelContexts {
  private OtelContexts() {}

  /** Starts with {@link ContextOptions#DEFAULT_CAPACITY} slots. */
  public static boolean initialize() {
    return initialize(ContextOptions.DEFAULT_CAPACITY);
  }

  /**
   * Starts with {@code capacity} slots.
   *
   * @return whether there is a ring; without one, mode {@code profiler} is in force
   */
  public static boolean initialize(int capacity) {
    return ContextApi.initialize(ContextOptions.of(ContextStorageMode.OTEL).withCapacity(capacity));
  }

  public static void shutdown() {
    if (isInitialized()) {
      ContextApi.shutdown();
    }
  }

  public static boolean isInitialized() {
    return ContextApi.isInitialized() && ThreadContext.isOtelMode();
  }

  public static void set(long traceIdHigh, long traceIdLow, long spanId) {
    ContextApi.setOtel(traceIdHigh, traceIdLow, spanId);
  }

  public static boolean get(ContextSnapshot into) {
    return ContextApi.get(into);
  }

  /** Reads the context of another thread of this process. */
  public static boolean getByTid(int tid, ContextSnapshot into) {
    return ContextApi.getByTid(tid, into);
  }
}
