/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.context.thread.RingDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Readers in another process than the writer's. */
final class OutsideReaders {
  private static final int CONTROL = Long.BYTES;
  private static final int IDS = RingDescriptor.CONTROL_OFFSET;
  private static final int PIECES = 3;
  private static final int PIECES_LENGTH = CONTROL + IDS + CONTROL;

  private OutsideReaders() {}

  /** All slots with one system call, the control word before and after the ids of each. */
  static RingPass controlWord(ProcessMemory memory, long ring) {
    MemorySegment copy =
        Arena.ofAuto().allocate((long) PIECES_LENGTH * HammeredRing.SLOTS, Long.BYTES);
    return tally -> {
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        long at = HammeredRing.slot(ring, slot);
        long control = at + RingDescriptor.CONTROL_OFFSET;
        memory.setPiece(PIECES * slot, control, CONTROL);
        memory.setPiece(PIECES * slot + 1, at, IDS);
        memory.setPiece(PIECES * slot + 2, control, CONTROL);
      }
      check(copy, memory.readPieces(PIECES * HammeredRing.SLOTS, copy));
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        MemorySegment pieces = copy.asSlice((long) PIECES_LENGTH * slot, PIECES_LENGTH);
        long before = pieces.get(JAVA_LONG, 0);
        long after = pieces.get(JAVA_LONG, CONTROL + IDS);
        if (before == after
            && !RingDescriptor.isInUse(before)
            && RingDescriptor.tid(before) == HammeredRing.tid(slot)) {
          tally.accept(
              slot,
              pieces.get(JAVA_LONG, CONTROL + RingDescriptor.TRACE_ID_HIGH_OFFSET),
              pieces.get(JAVA_LONG, CONTROL + RingDescriptor.TRACE_ID_LOW_OFFSET),
              pieces.get(JAVA_LONG, CONTROL + RingDescriptor.SPAN_ID_OFFSET),
              RingDescriptor.flags(before));
        }
      }
    };
  }

  /** The seed's: flag, ids, flag, each field on its own. */
  static RingPass flagOnly(ProcessMemory memory, long ring) {
    Arena arena = Arena.ofAuto();
    MemorySegment flag = arena.allocate(JAVA_BYTE);
    MemorySegment id = arena.allocate(JAVA_LONG);
    return tally -> {
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        long at = HammeredRing.slot(ring, slot);
        long inUse = at + RingDescriptor.CONTROL_OFFSET;
        if (read(memory, inUse, flag).get(JAVA_BYTE, 0) != 0) {
          continue;
        }
        long traceIdHigh =
            read(memory, at + RingDescriptor.TRACE_ID_HIGH_OFFSET, id).get(JAVA_LONG, 0);
        long traceIdLow =
            read(memory, at + RingDescriptor.TRACE_ID_LOW_OFFSET, id).get(JAVA_LONG, 0);
        long spanId = read(memory, at + RingDescriptor.SPAN_ID_OFFSET, id).get(JAVA_LONG, 0);
        if (read(memory, inUse, flag).get(JAVA_BYTE, 0) == 0) {
          tally.accept(slot, traceIdHigh, traceIdLow, spanId);
        }
      }
    };
  }

  /** What {@code sennit context --threads} does. */
  static RingPass product(ThreadRecordReader reader) {
    return tally -> {
      if (!(reader.read() instanceof ThreadReading.Threads threads)) {
        throw new IllegalStateException("the ring cannot be read: " + reader.read());
      }
      for (ThreadRecord thread : threads.threads()) {
        tally.accept(
            HammeredRing.slotOf(thread.tid()),
            thread.traceIdHigh(),
            thread.traceIdLow(),
            thread.spanId(),
            thread.flags());
      }
    };
  }

  /** What a process with that ring would publish. */
  static ProcessContext published(long ring) {
    return new ProcessContext(
        Map.of(),
        Map.of(
            RingDescriptor.ADDRESS_KEY, AttributeValue.of(ring),
            RingDescriptor.CAPACITY_KEY, AttributeValue.of(HammeredRing.SLOTS)));
  }

  private static MemorySegment read(ProcessMemory memory, long address, MemorySegment into) {
    check(into, memory.read(address, into));
    return into;
  }

  private static void check(MemorySegment into, long copied) {
    if (copied != into.byteSize()) {
      throw new IllegalStateException(
          "asked for " + into.byteSize() + " bytes of the writer's memory, got " + copied);
    }
  }
}
