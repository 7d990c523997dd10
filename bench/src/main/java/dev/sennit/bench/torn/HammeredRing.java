/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import dev.sennit.context.thread.RingDescriptor;
import dev.sennit.context.thread.RingSlot;

/**
 * A ring of 64 slots, and a thread that cycles over them without pause in the name of 64 threads
 * that do not exist. It clears each and sets it again at once, so that a reader meets slots that
 * are cleared, claimed and written at any moment.
 */
final class HammeredRing implements AutoCloseable {
  static final int SLOTS = 64;

  /** A multiple of the number of slots, above every tid that Linux gives by default. */
  private static final int FIRST_TID = 50_000 * SLOTS;

  private final long base;
  private final Thread writer;
  private volatile boolean stopped;

  private HammeredRing(long base) {
    this.base = base;
    this.writer = Thread.ofPlatform().daemon().name("writer").unstarted(this::write);
  }

  static HammeredRing start() {
    long length = RingDescriptor.length(SLOTS);
    long base =
        Libc.mmap(
            0, length, Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1);
    if (base < 0) {
      throw new IllegalStateException("mmap of " + length + " bytes failed with error " + -base);
    }
    Memory.putInt(base + RingDescriptor.MAGIC_OFFSET, RingDescriptor.MAGIC);
    Memory.putInt(base + RingDescriptor.VERSION_OFFSET, RingDescriptor.VERSION);
    Memory.putInt(base + RingDescriptor.CAPACITY_OFFSET, SLOTS);
    Memory.putInt(base + RingDescriptor.SLOT_SIZE_OFFSET, RingDescriptor.SLOT_LENGTH);
    HammeredRing ring = new HammeredRing(base);
    ring.writer.start();
    return ring;
  }

  long address() {
    return base;
  }

  /** The thread whose slot it is. */
  static int tid(int slot) {
    return FIRST_TID + slot;
  }

  static int slotOf(int tid) {
    return tid - FIRST_TID;
  }

  /** Where a slot is in a ring that starts at {@code base}. */
  static long slot(long base, int slot) {
    return base + RingDescriptor.slotOffset(tid(slot), SLOTS);
  }

  private void write() {
    long number = SLOTS;
    while (!stopped) {
      for (int slot = 0; slot < SLOTS; slot++) {
        RingSlot.free(slot(base, slot), tid(slot));
        RingSlot.write(
            slot(base, slot),
            tid(slot),
            Stamp.traceIdHigh(number),
            Stamp.traceIdLow(number),
            Stamp.spanId(number),
            Stamp.flags(number));
        number++;
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Libc.munmap(base, RingDescriptor.length(SLOTS));
  }
}
