/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.RingDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ring of another process (see {@link RingDescriptor}) with at most three system calls a
 * refresh, for any number of threads and the default capacity: one copies the whole ring and shows
 * which slots are taken, one reads those in the way that cannot tear, and one reads again what was
 * being written. Tids come from the control words, names from a cache.
 */
final class RingReader implements ThreadSource {
  /** More slots in use than any process has threads: what a hostile process may cost is bounded. */
  private static final int MAX_THREADS = 1 << 17;

  /** 2 MiB, a ring of default capacity. */
  private static final int SLOTS_PER_WINDOW = 65_536;

  private final ProcessMemory memory;
  private final SlotReader slotReader;
  private final ThreadDirectory directory;
  private final GrowingBuffer window = new GrowingBuffer();
  private ProcessContext context;
  private RingLocator.Result.@Nullable Found located;

  /** Slots to read, in ascending order, and the tids that were seen in them. */
  private int[] slots = new int[64];

  private int[] tids = new int[64];
  private int count;

  RingReader(ProcessMemory memory, ProcessContext context) {
    this.memory = memory;
    this.context = context;
    this.slotReader = new SlotReader(memory);
    this.directory = ThreadDirectory.byInnerTid(memory.pid());
  }

  @Override
  public ThreadReading read() {
    return refresh(
        ring -> {
          long result = findSlotsInUse(ring);
          if (result < 0) {
            return failure(result);
          }
          if (count > MAX_THREADS) {
            return new ThreadReading.Malformed(
                "more than %d slots of the ring at 0x%x are in use"
                    .formatted(MAX_THREADS, ring.address()));
          }
          @Nullable ThreadReading reading = readSlots(ring, tid -> true);
          Arrays.sort(tids, 0, count);
          directory.retain(tids, count);
          return reading;
        });
  }

  @Override
  public ThreadReading read(int[] wanted) {
    int[] recorded =
        Arrays.stream(wanted)
            .filter(tid -> tid > 0)
            .map(directory::recorded)
            .sorted()
            .distinct()
            .toArray();
    boolean[] seen = new boolean[recorded.length];
    ThreadReading reading =
        refresh(
            ring -> {
              count = 0;
              Arrays.stream(recorded)
                  .map(tid -> tid % ring.capacity())
                  .sorted()
                  .distinct()
                  .forEach(slot -> add(slot, 0));
              return readSlots(
                  ring,
                  tid -> {
                    int index = Arrays.binarySearch(recorded, tid);
                    if (index >= 0) {
                      seen[index] = true;
                    }
                    return index >= 0;
                  });
            });
    for (int i = 0; i < recorded.length; i++) {
      if (!seen[i]) {
        directory.forget(recorded[i]);
      }
    }
    return reading;
  }

  @Override
  public void update(ProcessContext newContext) {
    if (!newContext.attributes().equals(context.attributes())) {
      located = null;
    }
    context = newContext;
  }

  @Override
  public boolean stopsThreads() {
    return false;
  }

  /** Runs {@code reading} on the ring, and once more when it answers null: the ring is gone. */
  private ThreadReading refresh(
      Function<RingLocator.Result.Found, @Nullable ThreadReading> reading) {
    directory.refresh();
    for (int attempt = 0; attempt < 2; attempt++) {
      RingLocator.Result.@Nullable Found ring = located;
      if (ring == null) {
        switch (RingLocator.locate(memory, context)) {
          case RingLocator.Result.Failed(ThreadReading failed) -> {
            return failed;
          }
          case RingLocator.Result.Found found -> ring = found;
        }
        located = ring;
      }
      @Nullable ThreadReading result = reading.apply(ring);
      if (result != null) {
        return result;
      }
      located = null;
    }
    return new ThreadReading.Unavailable(
        "the ring of process " + memory.pid() + " went away while it was being read");
  }

  /** Copies the ring; the result is negative when it cannot be read or is no longer a ring. */
  private long findSlotsInUse(RingLocator.Result.Found ring) {
    count = 0;
    int capacity = ring.capacity();
    for (int first = 0; first < capacity; first += SLOTS_PER_WINDOW) {
      int last = Math.min(first + SLOTS_PER_WINDOW, capacity);
      // The first window begins with the header, so that a ring that has gone shows at no price.
      long from = first == 0 ? 0 : RingDescriptor.length(first);
      long length = RingDescriptor.length(last) - from;
      MemorySegment copy = window.atLeast(length).asSlice(0, length);
      long copied = memory.read(ring.address() + from, copy);
      if (copied < length) {
        return copied < 0 ? copied : -Errno.EFAULT;
      }
      if (first == 0 && !isHeaderOf(ring, copy)) {
        return -Errno.EFAULT;
      }
      for (int slot = first; slot < last; slot++) {
        long at = RingDescriptor.length(slot) - from + RingDescriptor.CONTROL_OFFSET;
        int tid = RingDescriptor.tid(copy.get(JAVA_LONG, at));
        if (tid != 0 && tid % capacity == slot) {
          add(slot, tid);
        }
      }
      if (count > MAX_THREADS) {
        return 0;
      }
    }
    return 0;
  }

  private static boolean isHeaderOf(RingLocator.Result.Found ring, MemorySegment header) {
    return header.get(JAVA_INT, RingDescriptor.MAGIC_OFFSET) == RingDescriptor.MAGIC
        && header.get(JAVA_INT, RingDescriptor.VERSION_OFFSET) == RingDescriptor.VERSION
        && header.get(JAVA_INT, RingDescriptor.SLOT_SIZE_OFFSET) == RingDescriptor.SLOT_LENGTH
        && header.get(JAVA_INT, RingDescriptor.CAPACITY_OFFSET) == ring.capacity();
  }

  private @Nullable ThreadReading readSlots(RingLocator.Result.Found ring, IntPredicate isWanted) {
    List<ThreadRecord> threads = new ArrayList<>(count);
    long result =
        slotReader.read(
            ring.address(),
            slots,
            count,
            (slot, control, traceIdHigh, traceIdLow, spanId) -> {
              int tid = RingDescriptor.tid(control);
              boolean inSpan = (traceIdHigh | traceIdLow | spanId) != 0;
              if (tid % ring.capacity() != slot || !isWanted.test(tid) || !inSpan) {
                return;
              }
              ThreadDirectory.@Nullable Known thread = directory.find(tid);
              if (thread != null) {
                threads.add(
                    new ThreadRecord(
                        thread.tid(),
                        thread.name(),
                        traceIdHigh,
                        traceIdLow,
                        spanId,
                        traceIdLow,
                        RingDescriptor.flags(control),
                        Map.of()));
              }
            });
    if (result < 0) {
      return failure(result);
    }
    threads.sort(Comparator.comparingInt(ThreadRecord::tid));
    return new ThreadReading.Threads(threads, (int) result);
  }

  /** Null where the process is there and the ring is not. */
  private @Nullable ThreadReading failure(long result) {
    return result == -Errno.EFAULT ? null : Refusal.of(memory.pid(), result);
  }

  private void add(int slot, int tid) {
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, count * 2);
      tids = Arrays.copyOf(tids, count * 2);
    }
    slots[count] = slot;
    tids[count++] = tid;
  }

  @Override
  public void close() {
    slotReader.close();
    window.close();
  }
}
