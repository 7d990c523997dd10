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
  private static final int COPIES = 3;
  private static final long COPY_LENGTH = (long) RingDescriptor.SLOT_LENGTH * HammeredRing.SLOTS;

  private OutsideReaders() {}

  /**
   * All slots with one system call: it copies them three times, one after the other, and the ids of
   * the second copy count where the control words of the first and the third agree.
   */
  static RingPass controlWord(ProcessMemory memory, long ring) {
    MemorySegment copies = Arena.ofAuto().allocate(COPIES * COPY_LENGTH, Long.BYTES);
    return tally -> {
      for (int piece = 0; piece < COPIES; piece++) {
        memory.setPiece(piece, HammeredRing.slot(ring, 0), COPY_LENGTH);
      }
      check(copies, memory.readPieces(COPIES, copies));
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        long first = (long) RingDescriptor.SLOT_LENGTH * slot;
        long ids = first + COPY_LENGTH;
        long third = ids + COPY_LENGTH;
        long before = copies.get(JAVA_LONG, first + RingDescriptor.CONTROL_OFFSET);
        long after = copies.get(JAVA_LONG, third + RingDescriptor.CONTROL_OFFSET);
        if (before == after
            && !RingDescriptor.isInUse(before)
            && RingDescriptor.tid(before) == HammeredRing.tid(slot)) {
          tally.accept(
              slot,
              copies.get(JAVA_LONG, ids + RingDescriptor.TRACE_ID_HIGH_OFFSET),
              copies.get(JAVA_LONG, ids + RingDescriptor.TRACE_ID_LOW_OFFSET),
              copies.get(JAVA_LONG, ids + RingDescriptor.SPAN_ID_OFFSET),
              RingDescriptor.flags(before));
        } else {
          tally.refuse();
        }
      }
    };
  }

  /** The flag alone: flag, ids, flag, each field on its own. */
  static RingPass flagOnly(ProcessMemory memory, long ring) {
    Arena arena = Arena.ofAuto();
    MemorySegment flag = arena.allocate(JAVA_BYTE);
    MemorySegment id = arena.allocate(JAVA_LONG);
    return tally -> {
      for (int slot = 0; slot < HammeredRing.SLOTS; slot++) {
        long at = HammeredRing.slot(ring, slot);
        long inUse = at + RingDescriptor.CONTROL_OFFSET;
        boolean busy = read(memory, inUse, flag).get(JAVA_BYTE, 0) != 0;
        long traceIdHigh =
            read(memory, at + RingDescriptor.TRACE_ID_HIGH_OFFSET, id).get(JAVA_LONG, 0);
        long traceIdLow =
            read(memory, at + RingDescriptor.TRACE_ID_LOW_OFFSET, id).get(JAVA_LONG, 0);
        long spanId = read(memory, at + RingDescriptor.SPAN_ID_OFFSET, id).get(JAVA_LONG, 0);
        busy |= read(memory, inUse, flag).get(JAVA_BYTE, 0) != 0;
        if (busy || (traceIdHigh | traceIdLow | spanId) == 0) {
          tally.refuse();
        } else {
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
      for (int i = threads.threads().size(); i < HammeredRing.SLOTS; i++) {
        tally.refuse();
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
