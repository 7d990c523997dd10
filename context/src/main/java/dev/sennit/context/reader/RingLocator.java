/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.RingDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ring of another process: at the address that the process publishes, else by the name of
 * its mapping, else by its magic number at the start of an anonymous region.
 */
final class RingLocator {
  /** The part of the header that has fields. */
  static final int HEAD_LENGTH = RingDescriptor.SLOT_SIZE_OFFSET + Integer.BYTES;

  private static final String MAPPING_NAME = "[anon:" + RingDescriptor.MAPPING_NAME + "]";

  /** What came of the search. */
  sealed interface Result {
    record Found(long address, int capacity) implements Result {}

    record Failed(ThreadReading reading) implements Result {}
  }

  private final ProcessMemory memory;
  private final ProcessContext context;

  /** The first valid ring, or else the first thing that should have been one. */
  private @Nullable Result best;

  private RingLocator(ProcessMemory memory, ProcessContext context) {
    this.memory = memory;
    this.context = context;
  }

  static Result locate(ProcessMemory memory, ProcessContext context) {
    RingLocator locator = new RingLocator(memory, context);
    try {
      return context.attributes().containsKey(RingDescriptor.ADDRESS_KEY)
          ? locator.atPublishedAddress()
          : locator.byNameOrMagic();
    } catch (IOException e) {
      return new Result.Failed(Refusal.of(memory.pid(), e));
    }
  }

  private Result atPublishedAddress() throws IOException {
    if (!(context.attributes().get(RingDescriptor.ADDRESS_KEY)
        instanceof AttributeValue.Whole(long address))) {
      return malformed(RingDescriptor.ADDRESS_KEY + " is not an integer");
    }
    MappedRegion[] found = new MappedRegion[1];
    boolean[] hasMemory = new boolean[1];
    ProcMaps.forEach(
        ProcMaps.path(memory.pid()),
        region -> {
          hasMemory[0] = true;
          if (Long.compareUnsigned(region.start(), address) <= 0
              && Long.compareUnsigned(address, region.end()) < 0) {
            found[0] = region;
          }
          return found[0] == null;
        });
    if (!hasMemory[0]) {
      return new Result.Failed(
          new ThreadReading.Unavailable(
              "process " + memory.pid() + " has no memory: it has just ended"));
    }
    MappedRegion region = found[0];
    if (region == null || !region.isReadable()) {
      return malformed(
          "%s 0x%x is not in a readable mapping".formatted(RingDescriptor.ADDRESS_KEY, address));
    }
    if (address % Long.BYTES != 0) {
      return malformed("%s 0x%x is not aligned".formatted(RingDescriptor.ADDRESS_KEY, address));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(HEAD_LENGTH, Integer.BYTES);
      long copied = memory.read(address, head);
      if (copied < HEAD_LENGTH) {
        return new Result.Failed(Refusal.of(memory.pid(), copied));
      }
      Result result = check(address, head, region.end() - address);
      if (result instanceof Result.Found(_, int capacity)
          && context.attributes().get(RingDescriptor.CAPACITY_KEY)
              instanceof AttributeValue.Whole(long published)
          && published != capacity) {
        return malformed(
            "capacity %d of the ring at 0x%x is not the published %s %d"
                .formatted(capacity, address, RingDescriptor.CAPACITY_KEY, published));
      }
      return result;
    }
  }

  private Result byNameOrMagic() throws IOException {
    long refused =
        RegionHeads.forEach(
            memory,
            region -> region.name().equals(MAPPING_NAME) && region.isReadable(),
            HEAD_LENGTH,
            this::consider);
    Result named = best;
    if (named != null) {
      return named;
    }
    long scanned =
        refused < 0
            ? refused
            : RegionHeads.forEach(
                memory, RingLocator::mayHoldRing, HEAD_LENGTH, this::considerIfMagic);
    Result scan = best;
    if (scan != null) {
      return scan;
    }
    if (scanned < 0) {
      return new Result.Failed(Refusal.of(memory.pid(), scanned));
    }
    return new Result.Failed(
        new ThreadReading.Unavailable(
            ("process %d has no thread records that can be read: it publishes neither %s nor the"
                    + " thread-local records of OTEP 4947, has no mapping named %s, and none of its"
                    + " %d anonymous regions starts with a ring")
                .formatted(memory.pid(), RingDescriptor.ADDRESS_KEY, MAPPING_NAME, scanned)));
  }

  private static boolean mayHoldRing(MappedRegion region) {
    return region.isAnonymous()
        && region.isReadable()
        && region.isWritable()
        && region.isPrivate()
        && (region.name().isEmpty() || region.name().startsWith("[anon:"));
  }

  private boolean considerIfMagic(MappedRegion region, MemorySegment head) {
    return head.get(JAVA_INT, RingDescriptor.MAGIC_OFFSET) != RingDescriptor.MAGIC
        || consider(region, head);
  }

  private boolean consider(MappedRegion region, MemorySegment head) {
    Result result = check(region.start(), head, region.size());
    if (best == null || result instanceof Result.Found) {
      best = result;
    }
    return !(result instanceof Result.Found);
  }

  /** Checks the header of a ring that has {@code room} bytes up to the end of its mapping. */
  private static Result check(long address, MemorySegment head, long room) {
    int magic = head.get(JAVA_INT, RingDescriptor.MAGIC_OFFSET);
    int version = head.get(JAVA_INT, RingDescriptor.VERSION_OFFSET);
    int slotSize = head.get(JAVA_INT, RingDescriptor.SLOT_SIZE_OFFSET);
    long capacity = Integer.toUnsignedLong(head.get(JAVA_INT, RingDescriptor.CAPACITY_OFFSET));
    String where = " of the ring at 0x" + Long.toHexString(address);
    if (magic != RingDescriptor.MAGIC) {
      return malformed(
          "magic 0x%08x%s is not 0x%08x".formatted(magic, where, RingDescriptor.MAGIC));
    }
    if (version != RingDescriptor.VERSION) {
      return malformed(
          "version "
              + Integer.toUnsignedString(version)
              + where
              + " is not "
              + RingDescriptor.VERSION);
    }
    if (slotSize != RingDescriptor.SLOT_LENGTH) {
      return malformed(
          "slot_size "
              + Integer.toUnsignedString(slotSize)
              + where
              + " is not "
              + RingDescriptor.SLOT_LENGTH);
    }
    if (capacity < 1 || capacity > ContextOptions.MAX_CAPACITY) {
      return malformed(
          "capacity " + capacity + where + " is not between 1 and " + ContextOptions.MAX_CAPACITY);
    }
    long length = RingDescriptor.length((int) capacity);
    if (length > room) {
      return malformed(
          "capacity %d%s needs %d bytes, and its mapping has %d"
              .formatted(capacity, where, length, room));
    }
    return new Result.Found(address, (int) capacity);
  }

  private static Result malformed(String reason) {
    return new Result.Failed(new ThreadReading.Malformed(reason));
  }
}
