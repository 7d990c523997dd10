/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import dev.sennit.kernel.libbpf.BpfException;

/**
 * Reads the kernel's ring buffer where it is, with one thread and without a call or an allocation.
 *
 * <pre>
 *   page 0                page 1                 from page 2 on
 *   +-------------------+----------------------+--------------+--------------+
 *   | consumer position | producer position    | data         | data again   |
 *   | (ours to write)   | (the kernel's)       |              |              |
 *   +-------------------+----------------------+--------------+--------------+
 *
 *   a record: 4 bytes length (bit 31 busy, bit 30 discarded), 4 bytes of the kernel's, the event; multiples of 8
 * </pre>
 *
 * <p>The data is mapped twice in a row, so that a record which goes on at the start is in one
 * piece.
 */
public final class EventRing implements AutoCloseable {
  private static final int PAGE = 4096;
  private static final int HEADER = 8;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  private final long consumerPage;
  private final long producerPage;
  private final long data;
  private final long size;
  private final KernelEvent event = new KernelEvent();

  /** Maps the ring of {@code size} bytes behind a descriptor: of a map, or of a file like one. */
  public EventRing(int fd, long size) {
    this.size = size;
    consumerPage = map(fd, PAGE, Libc.PROT_READ | Libc.PROT_WRITE, 0);
    producerPage = map(fd, PAGE + 2 * size, Libc.PROT_READ, PAGE);
    data = producerPage + PAGE;
  }

  private static long map(int fd, long length, int protection, long offset) {
    long address = Libc.mmap(0, length, protection, Libc.MAP_SHARED, fd, offset);
    if (address < 0) {
      throw new BpfException("the ring of events cannot be mapped", (int) -address);
    }
    return address;
  }

  /** Hands what is there to the consumer, at most so many events. Answers how many. */
  public int poll(EventConsumer consumer, int most) {
    long position = Memory.getLong(consumerPage);
    long end = Memory.getLongAcquire(producerPage);
    int count = 0;
    try {
      while (position < end && count < most) {
        long record = data + (position & (size - 1));
        int length = Memory.getIntAcquire(record);
        if ((length & BUSY) != 0) {
          break;
        }
        position += (length & ~(BUSY | DISCARDED)) + HEADER + 7 & ~7L;
        if ((length & DISCARDED) == 0) {
          event.wrap(record + HEADER);
          count++;
          consumer.onEvent(event);
        }
      }
    } finally {
      Memory.putLongRelease(consumerPage, position);
    }
    return count;
  }

  @Override
  public void close() {
    Libc.munmap(consumerPage, PAGE);
    Libc.munmap(producerPage, PAGE + 2 * size);
  }
}
