/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.thread.ThreadPlaces.Place;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Mode {@code otel}: one ring for the process, in a mapping of its own that outside readers find by
 * its published address, by name or by its magic number.
 */
final class RingStorage extends ThreadStorage {
  private static final boolean IS_LINUX = System.getProperty("os.name", "").equals("Linux");

  /** Far more carriers than a JVM has by default; two that share an entry take turns. */
  private static final int CARRIER_MASK = 1023;

  private final ThreadBlocks blocks;
  private final long base;
  private final int capacity;
  private final long length;
  private final ThreadPlaces places = new ThreadPlaces(this::placeOfThread);
  private final AtomicReferenceArray<@Nullable Place> carrierPlaces =
      new AtomicReferenceArray<>(CARRIER_MASK + 1);

  /** Where a thread writes that has no memory, or no tid: no reader looks for tid 0. */
  private final Place nowhere =
      new Place(0, Arena.global().allocate(RingDescriptor.SLOT_LENGTH, Long.BYTES).address(), 0);

  private RingStorage(ThreadBlocks blocks, long base, int capacity) {
    this.blocks = blocks;
    this.base = base;
    this.capacity = capacity;
    this.length = RingDescriptor.length(capacity);
  }

  /**
   * Maps a ring.
   *
   * @throws MappingFailedException when the kernel refuses
   */
  static RingStorage create(ThreadBlocks blocks, int capacity) throws MappingFailedException {
    long length = RingDescriptor.length(capacity);
    long base =
        Libc.mmap(
            0, length, Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1);
    if (base < 0) {
      throw new MappingFailedException("mmap of " + length + " bytes", base);
    }
    if (IS_LINUX) {
      // A child process must not show its parent's contexts. It also keeps the kernel from merging
      // the ring with the mapping below it, which would hide the magic number inside a region.
      long advised = Libc.madvise(base, length, Libc.MADV_DONTFORK);
      if (advised < 0) {
        Libc.munmap(base, length);
        throw new MappingFailedException("madvise(MADV_DONTFORK) of " + length + " bytes", advised);
      }
    }
    Memory.putInt(base + RingDescriptor.VERSION_OFFSET, RingDescriptor.VERSION);
    Memory.putInt(base + RingDescriptor.CAPACITY_OFFSET, capacity);
    Memory.putInt(base + RingDescriptor.SLOT_SIZE_OFFSET, RingDescriptor.SLOT_LENGTH);
    VarHandle.fullFence();
    Memory.putIntRelease(base + RingDescriptor.MAGIC_OFFSET, RingDescriptor.MAGIC);
    if (IS_LINUX) {
      // Kernels before 5.17 and those without CONFIG_ANON_VMA_NAME refuse; the other ways of
      // discovery remain.
      Libc.nameMapping(base, length, RingDescriptor.MAPPING_NAME);
    }
    return new RingStorage(blocks, base, capacity);
  }

  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.OTEL;
  }

  @Override
  void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    Place place = place();
    if (!RingSlot.write(place.address(), place.tid(), traceIdHigh, traceIdLow, spanId, flags)
        && !blocks.clearsAtThreadEnd()) {
      evictDeadOwner(place.address());
      RingSlot.write(place.address(), place.tid(), traceIdHigh, traceIdLow, spanId, flags);
    }
  }

  /** Without the native library a thread leaves its tid behind when it ends. */
  private static void evictDeadOwner(long slot) {
    int owner = RingDescriptor.tid(Memory.getLong(slot + RingDescriptor.CONTROL_OFFSET));
    if (owner != 0 && IS_LINUX && !Proc.hasThread(owner)) {
      RingSlot.free(slot, owner);
    }
  }

  @Override
  void clear() {
    Place place = place();
    RingSlot.free(place.address(), place.tid());
  }

  @Override
  int tid() {
    return place().tid();
  }

  @Override
  boolean get(ContextSnapshot into) {
    Place place = place();
    if (!RingSlot.read(place.address(), place.tid(), into)) {
      into.clear();
      return false;
    }
    return true;
  }

  @Override
  boolean getByTid(int tid, ContextSnapshot into) {
    if (tid <= 0 || !RingSlot.read(slotOf(tid), tid, into)) {
      into.clear();
      return false;
    }
    return true;
  }

  @Override
  long spanId() {
    Place place = place();
    return RingSlot.ownSpanId(place.address(), place.tid());
  }

  @Override
  long rootSpanId() {
    Place place = place();
    return RingSlot.ownTraceIdLow(place.address(), place.tid());
  }

  @Override
  AttributeOutcome setAttribute(AttributeKey key, String value) {
    return AttributeOutcome.NOT_IN_THIS_MODE;
  }

  @Override
  @Nullable String getAttribute(AttributeKey key) {
    return null;
  }

  @Override
  int maxAttributeKeys() {
    return OtepRecordDescriptor.MAX_KEYS;
  }

  @Override
  Map<String, AttributeValue> announcement(AttributeKeys keys) {
    Map<String, AttributeValue> announcement = new LinkedHashMap<>();
    announcement.put(ContextStorageMode.PROCESS_KEY, AttributeValue.of(mode().optionValue()));
    announcement.put(RingDescriptor.ADDRESS_KEY, AttributeValue.of(base));
    announcement.put(RingDescriptor.CAPACITY_KEY, AttributeValue.of(capacity));
    return announcement;
  }

  /**
   * Withdraws the ring but leaves it mapped: a thread may hold the address of its slot and write
   * any time later. The pages go back to the kernel, the addresses stay taken, without the name, by
   * which readers would find this ring before the next.
   */
  @Override
  void close() {
    Memory.putIntRelease(base + RingDescriptor.MAGIC_OFFSET, 0);
    if (IS_LINUX) {
      Libc.unnameMapping(base, length);
      Libc.madvise(base, length, Libc.MADV_DONTNEED);
    }
  }

  private Place place() {
    Place place = places.current();
    return place == null ? placeOfCarrier() : place;
  }

  /** A virtual thread asks each time; answers are kept by tid, so that asking allocates nothing. */
  private Place placeOfCarrier() {
    long block = blocks.current();
    if (block == 0) {
      return nowhere;
    }
    int tid = tid(block);
    Place place = carrierPlaces.get(tid & CARRIER_MASK);
    if (place == null || place.tid() != tid) {
      place = new Place(0, slotOf(tid), tid);
      carrierPlaces.set(tid & CARRIER_MASK, place);
    }
    noteSlot(block, place);
    return place;
  }

  private Place placeOfThread(long threadId) {
    long block = blocks.current();
    if (block == 0 || tid(block) == 0) {
      return nowhere;
    }
    Place place = new Place(threadId, slotOf(tid(block)), tid(block));
    noteSlot(block, place);
    return place;
  }

  /** Tells thread_context.c what to clear when the thread ends. */
  private static void noteSlot(long block, Place place) {
    Memory.putLong(block + ThreadBlockDescriptor.RING_SLOT_OFFSET, place.address());
  }

  private long slotOf(int tid) {
    return base + RingDescriptor.slotOffset(tid, capacity);
  }

  private static int tid(long block) {
    return Memory.getInt(block + ThreadBlockDescriptor.TID_OFFSET);
  }
}
