/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The context that a virtual thread takes along when it leaves its carrier. The virtual thread
 * writes it; whoever mounts the thread reads it. Kept only while {@link
 * ContextApi#followVirtualThreads} is in force.
 */
public final class VirtualThreadContext {
  private static final AttributeKey[] NO_KEYS = {};
  private static final String[] NO_VALUES = {};

  private long traceIdHigh;
  private long traceIdLow;
  private long spanId;
  private long rootSpanId;
  private int flags;
  private @Nullable AttributeKey[] keys = NO_KEYS;
  private @Nullable String[] values = NO_VALUES;
  private int attributes;

  VirtualThreadContext() {}

  /** One to begin with: what {@code inherited} says. */
  public VirtualThreadContext(ContextSnapshot inherited) {
    set(
        inherited.traceIdHigh(),
        inherited.traceIdLow(),
        inherited.spanId(),
        inherited.rootSpanId(),
        inherited.flags());
  }

  void set(
      long newTraceIdHigh, long newTraceIdLow, long newSpanId, long newRootSpanId, int newFlags) {
    traceIdHigh = newTraceIdHigh;
    traceIdLow = newTraceIdLow;
    spanId = newSpanId;
    rootSpanId = newRootSpanId;
    flags = newFlags;
    attributes = 0;
  }

  void setAttribute(AttributeKey key, String value) {
    for (int i = 0; i < attributes; i++) {
      if (key.equals(keys[i])) {
        values[i] = value;
        return;
      }
    }
    if (attributes == keys.length) {
      keys = Arrays.copyOf(keys, attributes + 4);
      values = Arrays.copyOf(values, attributes + 4);
    }
    keys[attributes] = key;
    values[attributes++] = value;
  }

  void tell(ContextObserver observer) {
    observer.carrierChanged(traceIdHigh, traceIdLow, spanId, flags);
  }

  /** Makes this the context of the OS thread that runs now. */
  void applyTo(ThreadStorage storage, AttributeKeys announced) {
    if ((traceIdHigh | traceIdLow | spanId) == 0) {
      storage.clear();
    } else {
      storage.set(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
    }
    for (int i = 0; i < attributes; i++) {
      AttributeKey key = keys[i];
      String value = values[i];
      // It may have been set when another storage had the records.
      AttributeKey known = key == null ? null : announced.find(key);
      if (known != null && value != null) {
        storage.setAttribute(known, value);
      }
    }
  }
}
