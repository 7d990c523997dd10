/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.process.AttributeValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One way of keeping thread contexts. Every method but the last two acts on the OS thread that runs
 * now, never throws and allocates nothing.
 */
abstract sealed class ThreadStorage
    permits ProfilerStorage, RingStorage, OtepStorage, SharedStorage {
  abstract ContextStorageMode mode();

  /** Whether there are records to write to. */
  boolean isOpen() {
    return true;
  }

  /** Replaces the whole context; attributes of the one before go with it. */
  abstract void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags);

  abstract boolean get(ContextSnapshot into);

  /** Reads another thread of this process; false where the layout does not allow it. */
  abstract boolean getByTid(int tid, ContextSnapshot into);

  abstract long spanId();

  abstract long rootSpanId();

  abstract void clear();

  abstract AttributeOutcome setAttribute(AttributeKey key, String value);

  abstract @Nullable String getAttribute(AttributeKey key);

  /** How many keys can be announced. */
  abstract int maxAttributeKeys();

  /** What the process record must say so that readers find and understand the records. */
  abstract Map<String, AttributeValue> announcement(AttributeKeys keys);

  /** Withdraws the records; memory that a thread may still be writing to stays mapped. */
  abstract void close();
}
