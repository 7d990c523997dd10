/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static dev.sennit.context.memory.Memory.EVERYWHERE;
import static dev.sennit.context.thread.RingDescriptor.IN_USE;
import static dev.sennit.context.thread.RingDescriptor.SEQUENCE_MASK;
import static dev.sennit.context.thread.RingDescriptor.SEQUENCE_ONE;
import static dev.sennit.context.thread.RingDescriptor.TID_MASK;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Memory;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * The protocol of one slot of the ring, at an absolute address.
 *
 * <p>A slot has an owner while its control word holds a tid. Only the owner writes, so it needs no
 * atomic read-modify-write; a slot is claimed by one when it is free. A thread that finds another's
 * tid in the slot that it shares stays invisible until the other leaves: readers get nothing rather
 * than something wrong.
 */
public final class RingSlot {
  private static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("traceIdHigh"),
          JAVA_LONG.withName("traceIdLow"),
          JAVA_LONG.withName("spanId"),
          JAVA_LONG.withName("control"));
  private static final VarHandle TRACE_ID_HIGH = Memory.field(LAYOUT, "traceIdHigh");
  private static final VarHandle TRACE_ID_LOW = Memory.field(LAYOUT, "traceIdLow");
  private static final VarHandle SPAN_ID = Memory.field(LAYOUT, "spanId");
  private static final VarHandle CONTROL = Memory.field(LAYOUT, "control");

  /**
   * A writer may be stopped in the middle of a write for any time; readers give up instead of
   * spinning.
   */
  private static final int READ_ATTEMPTS = 3;

  private RingSlot() {}

  /**
   * Writes a context for {@code tid}, claiming the slot if it is free.
   *
   * @return whether it was written; not if another thread owns the slot
   */
  public static boolean write(
      long slot, int tid, long traceIdHigh, long traceIdLow, long spanId, int flags) {
    long owner = RingDescriptor.tidBits(tid);
    long word = (long) CONTROL.getOpaque(EVERYWHERE, slot);
    if ((word & TID_MASK) != owner && !claim(slot, word, owner)) {
      return false;
    }
    long next = ((word + SEQUENCE_ONE) & SEQUENCE_MASK) | owner;
    CONTROL.setOpaque(EVERYWHERE, slot, next | IN_USE);
    VarHandle.releaseFence();
    TRACE_ID_HIGH.set(EVERYWHERE, slot, traceIdHigh);
    TRACE_ID_LOW.set(EVERYWHERE, slot, traceIdLow);
    SPAN_ID.set(EVERYWHERE, slot, spanId);
    CONTROL.setRelease(EVERYWHERE, slot, next | RingDescriptor.flagBits(flags));
    return true;
  }

  private static boolean claim(long slot, long word, long owner) {
    return (word & (TID_MASK | IN_USE)) == 0
        && CONTROL.compareAndSet(EVERYWHERE, slot, word, (word & SEQUENCE_MASK) | owner | IN_USE);
  }

  /** Zeroes the ids and frees the slot, if {@code tid} owns it. */
  public static void free(long slot, int tid) {
    long owner = RingDescriptor.tidBits(tid);
    long word = (long) CONTROL.getOpaque(EVERYWHERE, slot);
    if ((word & TID_MASK) != owner) {
      return;
    }
    long next = (word + SEQUENCE_ONE) & SEQUENCE_MASK;
    CONTROL.setOpaque(EVERYWHERE, slot, next | owner | IN_USE);
    VarHandle.releaseFence();
    TRACE_ID_HIGH.set(EVERYWHERE, slot, 0L);
    TRACE_ID_LOW.set(EVERYWHERE, slot, 0L);
    SPAN_ID.set(EVERYWHERE, slot, 0L);
    CONTROL.setRelease(EVERYWHERE, slot, next);
  }

  /**
   * Copies the context of {@code tid}; false when it has none, or when it was being written at
   * every attempt.
   */
  public static boolean read(long slot, int tid, ContextSnapshot into) {
    long owner = RingDescriptor.tidBits(tid);
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      long before = (long) CONTROL.getAcquire(EVERYWHERE, slot);
      if ((before & TID_MASK) != owner || owner == 0) {
        return false;
      }
      if (RingDescriptor.isInUse(before)) {
        continue;
      }
      long traceIdHigh = (long) TRACE_ID_HIGH.get(EVERYWHERE, slot);
      long traceIdLow = (long) TRACE_ID_LOW.get(EVERYWHERE, slot);
      long spanId = (long) SPAN_ID.get(EVERYWHERE, slot);
      VarHandle.acquireFence();
      if ((long) CONTROL.getOpaque(EVERYWHERE, slot) == before) {
        into.fill(traceIdHigh, traceIdLow, spanId, traceIdLow, RingDescriptor.flags(before));
        return !into.isNone();
      }
    }
    return false;
  }

  /** The span in a slot that the calling thread owns: nobody else writes there. */
  static long ownSpanId(long slot, int tid) {
    return isOwnedBy(slot, tid) ? (long) SPAN_ID.get(EVERYWHERE, slot) : 0;
  }

  /** The lower half of the trace id in a slot that the calling thread owns. */
  static long ownTraceIdLow(long slot, int tid) {
    return isOwnedBy(slot, tid) ? (long) TRACE_ID_LOW.get(EVERYWHERE, slot) : 0;
  }

  private static boolean isOwnedBy(long slot, int tid) {
    return RingDescriptor.tid((long) CONTROL.get(EVERYWHERE, slot)) == tid;
  }
}
