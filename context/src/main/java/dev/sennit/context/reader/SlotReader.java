/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.thread.RingDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads chosen slots of a ring so that no id is ever torn: control word, ids, and the control word
 * again.
 *
 * <p>The kernel copies the pieces of one {@code process_vm_readv} one after the other. So each
 * piece of the ring is asked for three times in a row, and a slot is accepted when its control word
 * of the first copy equals that of the third; its ids are those of the copy between them:
 *
 * <pre>
 *   +---------+---------+---------+---------+---------+---------+--
 *   | piece 0 | piece 0 | piece 0 | piece 1 | piece 1 | piece 1 | ...
 *   +---------+---------+---------+---------+---------+---------+--
 *     control   ids       control
 * </pre>
 *
 * Neighbouring slots share a piece, for every piece costs the kernel some 100 ns. Slots that do not
 * settle are read once more, each on its own, which takes the least time between the two control
 * words.
 */
final class SlotReader implements AutoCloseable {
  private static final int COPIES = 3;
  private static final int MAX_PIECES = ProcessMemory.MAX_PIECES / COPIES;

  /** 512 bytes: long enough to save pieces, short enough that a copy is quick. */
  private static final int FEWEST_SLOTS_PER_PIECE = 16;

  /** With pieces of 8 KiB the 2 MiB of a ring of default capacity need 256 of them. */
  private static final int MOST_SLOTS_PER_PIECE = 256;

  private static final int IDS_LENGTH = RingDescriptor.CONTROL_OFFSET;
  private static final int CONTROL_LENGTH = RingDescriptor.SLOT_LENGTH - IDS_LENGTH;
  private static final int RETRY_LENGTH = CONTROL_LENGTH + IDS_LENGTH + CONTROL_LENGTH;

  /** Takes the content of a slot that was not written meanwhile. */
  @FunctionalInterface
  interface Visitor {
    void visit(int slot, long control, long traceIdHigh, long traceIdLow, long spanId);
  }

  private final ProcessMemory memory;
  private final GrowingBuffer buffer = new GrowingBuffer();
  private int[] unsettled = new int[16];
  private int unsettledCount;

  SlotReader(ProcessMemory memory) {
    this.memory = memory;
  }

  /**
   * Reads {@code count} slots of the ring at {@code ring}, given in ascending order.
   *
   * @return how many stayed unsettled, or a negative error number
   */
  long read(long ring, int[] slots, int count, Visitor visitor) {
    long firstSlot = ring + RingDescriptor.HEADER_LENGTH;
    unsettledCount = 0;
    int slotsPerPiece = slotsPerPiece(slots, count);
    for (int from = 0; from < count; ) {
      int to = endOfBatch(slots, from, count, slotsPerPiece);
      long result = readBatch(firstSlot, slots, from, to, slotsPerPiece, visitor);
      if (result < 0) {
        return result;
      }
      from = to;
    }
    return unsettledCount == 0 ? 0 : retry(firstSlot, visitor);
  }

  private static int slotsPerPiece(int[] slots, int count) {
    int slotsPerPiece = FEWEST_SLOTS_PER_PIECE;
    while (slotsPerPiece < MOST_SLOTS_PER_PIECE
        && endOfBatch(slots, 0, count, slotsPerPiece) < count) {
      slotsPerPiece *= 2;
    }
    return slotsPerPiece;
  }

  /** Where the slots end that one system call takes. */
  private static int endOfBatch(int[] slots, int from, int count, int slotsPerPiece) {
    int at = from;
    for (int pieces = 0; pieces < MAX_PIECES && at < count; pieces++) {
      at = endOfPiece(slots, at, count, slotsPerPiece);
    }
    return at;
  }

  private static int endOfPiece(int[] slots, int from, int count, int slotsPerPiece) {
    int at = from + 1;
    while (at < count && slots[at] - slots[from] < slotsPerPiece) {
      at++;
    }
    return at;
  }

  private long readBatch(
      long firstSlot, int[] slots, int from, int to, int slotsPerPiece, Visitor visitor) {
    int pieces = 0;
    long total = 0;
    for (int i = from; i < to; ) {
      int end = endOfPiece(slots, i, to, slotsPerPiece);
      long address = firstSlot + offset(slots[i]);
      long length = offset(slots[end - 1] - slots[i] + 1);
      for (int copy = 0; copy < COPIES; copy++) {
        memory.setPiece(pieces++, address, length);
      }
      total += COPIES * length;
      i = end;
    }
    MemorySegment copies = buffer.atLeast(total);
    long copied = memory.readPieces(pieces, copies.asSlice(0, total));
    if (copied < 0) {
      return copied;
    }
    long base = 0;
    for (int i = from; i < to; ) {
      int end = endOfPiece(slots, i, to, slotsPerPiece);
      long length = offset(slots[end - 1] - slots[i] + 1);
      boolean complete = base + COPIES * length <= copied;
      for (int k = i; k < end; k++) {
        long at = base + offset(slots[k] - slots[i]);
        long before = at + RingDescriptor.CONTROL_OFFSET;
        if (!complete
            || !accept(slots[k], copies, before, at + length, before + 2 * length, visitor)) {
          addUnsettled(slots[k]);
        }
      }
      base += COPIES * length;
      i = end;
    }
    return 0;
  }

  private long retry(long firstSlot, Visitor visitor) {
    // One call and no more: what exceeds it stays unsettled until the next refresh.
    int count = Math.min(unsettledCount, MAX_PIECES);
    for (int i = 0; i < count; i++) {
      long address = firstSlot + offset(unsettled[i]);
      long control = address + RingDescriptor.CONTROL_OFFSET;
      memory.setPiece(COPIES * i, control, CONTROL_LENGTH);
      memory.setPiece(COPIES * i + 1, address, IDS_LENGTH);
      memory.setPiece(COPIES * i + 2, control, CONTROL_LENGTH);
    }
    long total = (long) count * RETRY_LENGTH;
    MemorySegment copies = buffer.atLeast(total);
    long copied = memory.readPieces(COPIES * count, copies.asSlice(0, total));
    if (copied < 0) {
      return copied;
    }
    int settled = 0;
    for (int i = 0; i < count; i++) {
      long before = (long) i * RETRY_LENGTH;
      long ids = before + CONTROL_LENGTH;
      long after = ids + IDS_LENGTH;
      if (before + RETRY_LENGTH <= copied
          && accept(unsettled[i], copies, before, ids, after, visitor)) {
        settled++;
      }
    }
    return (long) unsettledCount - settled;
  }

  /** The rule of {@link RingDescriptor}; answers whether the slot settled. */
  private static boolean accept(
      int slot, MemorySegment copies, long before, long ids, long after, Visitor visitor) {
    long control = copies.get(JAVA_LONG, before);
    if (RingDescriptor.isInUse(control) || control != copies.get(JAVA_LONG, after)) {
      return false;
    }
    visitor.visit(
        slot,
        control,
        copies.get(JAVA_LONG, ids + RingDescriptor.TRACE_ID_HIGH_OFFSET),
        copies.get(JAVA_LONG, ids + RingDescriptor.TRACE_ID_LOW_OFFSET),
        copies.get(JAVA_LONG, ids + RingDescriptor.SPAN_ID_OFFSET));
    return true;
  }

  private void addUnsettled(int slot) {
    if (unsettledCount == unsettled.length) {
      unsettled = Arrays.copyOf(unsettled, unsettledCount * 2);
    }
    unsettled[unsettledCount++] = slot;
  }

  private static long offset(int slots) {
    return (long) slots * RingDescriptor.SLOT_LENGTH;
  }

  @Override
  public void close() {
    buffer.close();
  }
}
