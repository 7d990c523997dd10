/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import static dev.sennit.context.memory.Memory.EVERYWHERE;

import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.context.thread.RingDescriptor;
import dev.sennit.context.thread.RingSlot;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Readers in the process of the writer. */
final class InsideReaders {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private InsideReaders() {}

  /** The product's: {@link RingSlot#read}. */
  static RingPass controlWord(long ring) {
    ContextSnapshot seen = new ContextSnapshot();
    return tally -> {
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        if (RingSlot.read(HammeredRing.slot(ring, slot), HammeredRing.tid(slot), seen)) {
          tally.accept(slot, seen.traceIdHigh(), seen.traceIdLow(), seen.spanId(), seen.flags());
        } else {
          tally.refuse();
        }
      }
    };
  }

  /** The flag alone: flag, ids, flag. */
  static RingPass flagOnly(long ring) {
    return tally -> {
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        long at = HammeredRing.slot(ring, slot);
        boolean busy = isInUse(at);
        long traceIdHigh = (long) LONG.get(EVERYWHERE, at + RingDescriptor.TRACE_ID_HIGH_OFFSET);
        long traceIdLow = (long) LONG.get(EVERYWHERE, at + RingDescriptor.TRACE_ID_LOW_OFFSET);
        long spanId = (long) LONG.get(EVERYWHERE, at + RingDescriptor.SPAN_ID_OFFSET);
        if (busy || isInUse(at) || (traceIdHigh | traceIdLow | spanId) == 0) {
          tally.refuse();
        } else {
          tally.accept(slot, traceIdHigh, traceIdLow, spanId);
        }
      }
    };
  }

  private static boolean isInUse(long slot) {
    return (byte) BYTE.getAcquire(EVERYWHERE, slot + RingDescriptor.CONTROL_OFFSET) != 0;
  }
}
