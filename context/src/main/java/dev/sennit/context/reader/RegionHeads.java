/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.memory.ProcessMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Looks at the first bytes of many regions of a process with few system calls. A region that cannot
 * be read is passed over and hides none that follows it.
 */
final class RegionHeads {
  /** Each unreadable region costs a call more; a process made of them must not keep us for ever. */
  private static final int MAX_CALLS = 4096;

  /** Takes a region and a copy of its first bytes; answers whether to go on. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(MappedRegion region, MemorySegment head);
  }

  private final ProcessMemory memory;
  private final int headLength;
  private final Visitor visitor;
  private final MemorySegment heads;
  private final List<MappedRegion> batch = new ArrayList<>(ProcessMemory.MAX_PIECES);
  private int seen;
  private int calls;
  private long failure;
  private boolean done;

  private RegionHeads(ProcessMemory memory, int headLength, Visitor visitor, Arena arena) {
    this.memory = memory;
    this.headLength = headLength;
    this.visitor = visitor;
    this.heads = arena.allocate((long) headLength * ProcessMemory.MAX_PIECES, 8);
  }

  /**
   * Visits the regions that {@code which} chooses, in address order.
   *
   * @return how many were chosen, or a negative error number when the process cannot be read at all
   */
  static long forEach(
      ProcessMemory memory, Predicate<MappedRegion> which, int headLength, Visitor visitor)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RegionHeads reader = new RegionHeads(memory, headLength, visitor, arena);
      ProcMaps.forEach(
          ProcMaps.path(memory.pid()), region -> !which.test(region) || reader.add(region));
      reader.flush();
      return reader.failure < 0 ? reader.failure : reader.seen;
    }
  }

  private boolean add(MappedRegion region) {
    batch.add(region);
    seen++;
    if (batch.size() == ProcessMemory.MAX_PIECES) {
      flush();
    }
    return !done;
  }

  private void flush() {
    int from = 0;
    while (from < batch.size() && !done) {
      int count = batch.size() - from;
      for (int i = 0; i < count; i++) {
        memory.setPiece(i, batch.get(from + i).start(), headLength);
      }
      long copied = memory.readPieces(count, heads);
      if (copied < 0 && copied != -Errno.EFAULT) {
        failure = copied;
        done = true;
        return;
      }
      int complete = (int) (Math.max(copied, 0) / headLength);
      for (int i = 0; i < complete && !done; i++) {
        MemorySegment head = heads.asSlice((long) i * headLength, headLength);
        done = !visitor.visit(batch.get(from + i), head);
      }
      // The one after the complete ones is what the kernel stumbled over.
      from += complete + 1;
      done |= ++calls >= MAX_CALLS;
    }
    batch.clear();
  }
}
