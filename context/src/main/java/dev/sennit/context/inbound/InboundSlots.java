/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The slots that the kernel's programs write, mapped for reading. A thread looks at its own slot
 * before and after it reads from a socket: a sequence number that has changed says that the read
 * has brought a request. One look is not enough, for a slot keeps what it says when its thread ends
 * and its number goes to another.
 *
 * <p>It stays mapped for as long as the process lives, because threads may look at any time; what
 * is in it no longer changes when the programs are gone.
 */
public final class InboundSlots {
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
  private static final boolean REVERSED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final long base;
  private final long lease;
  private final int namespace;

  private InboundSlots(long base, int namespace) {
    this.base = base;
    lease = base + InboundSlotDescriptor.LEASE_SLOT;
    this.namespace = namespace;
  }

  /**
   * Maps the array behind a descriptor, which can be closed afterwards.
   *
   * @throws IOException when the kernel refuses, or does not say in which PID namespace this is
   */
  public static InboundSlots map(int fd) throws IOException {
    int namespace = ownNamespace();
    long base = Libc.mmap(0, InboundSlotDescriptor.LENGTH, Libc.PROT_READ, Libc.MAP_SHARED, fd);
    if (base < 0) {
      throw new IOException(
          "descriptor "
              + fd
              + " cannot be mapped as "
              + InboundSlotDescriptor.CAPACITY
              + " slots of requests: "
              + Errno.describe((int) -base));
    }
    return new InboundSlots(base, namespace);
  }

  /** The link reads {@code pid:[4026531836]}. */
  private static int ownNamespace() throws IOException {
    String link = Files.readSymbolicLink(NAMESPACE).toString();
    int begin = link.indexOf('[');
    int end = link.indexOf(']');
    try {
      return Integer.parseUnsignedInt(link, begin + 1, end, 10);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException(NAMESPACE + " names no namespace: " + link, e);
    }
  }

  /** What the slot of a thread counts; 0 when none of its number has read a request yet. */
  public long sequence(int tid) {
    return Memory.getLongOpaque(slot(tid) + InboundSlotDescriptor.SEQUENCE_OFFSET);
  }

  /**
   * Reads what the slot said at {@code sequence}.
   *
   * @return false when the slot has gone on, or belongs to another thread; then {@code into} is as
   *     it was
   */
  public boolean read(int tid, long sequence, InboundRequest into) {
    long slot = slot(tid);
    if (isBeingWritten(sequence)
        || Memory.getLongAcquire(slot + InboundSlotDescriptor.SEQUENCE_OFFSET) != sequence
        || Memory.getInt(slot + InboundSlotDescriptor.TID_OFFSET) != tid
        || Memory.getInt(slot + InboundSlotDescriptor.PID_NAMESPACE_OFFSET) != namespace) {
      return false;
    }
    long high = id(slot + InboundSlotDescriptor.TRACE_ID_OFFSET);
    long low = id(slot + InboundSlotDescriptor.TRACE_ID_OFFSET + Long.BYTES);
    long span = id(slot + InboundSlotDescriptor.SPAN_ID_OFFSET);
    int flags = Memory.getByte(slot + InboundSlotDescriptor.FLAGS_OFFSET) & 0xFF;
    boolean shared = Memory.getByte(slot + InboundSlotDescriptor.SHARED_OFFSET) != 0;
    if (!isStill(slot, sequence)) {
      return false;
    }
    into.fill(high, low, span, flags, shared);
    return true;
  }

  /**
   * Whether the request that was read at {@code sequence} is still without a whole response, and
   * one would have been seen.
   */
  public boolean isOpen(int tid, long sequence) {
    long slot = slot(tid);
    boolean open = Memory.getByte(slot + InboundSlotDescriptor.OPEN_OFFSET) != 0;
    long since = Memory.getLong(slot + InboundSlotDescriptor.SINCE_OFFSET);
    return open
        && !isBeingWritten(sequence)
        && isStill(slot, sequence)
        && since == Memory.getLongOpaque(lease + InboundSlotDescriptor.SINCE_OFFSET)
        && isTended();
  }

  /** Whether the programs see requests now. */
  public boolean isTended() {
    return System.nanoTime() < Memory.getLongOpaque(lease + InboundSlotDescriptor.SEQUENCE_OFFSET);
  }

  private static boolean isBeingWritten(long sequence) {
    return (sequence & 1) != 0;
  }

  private static boolean isStill(long slot, long sequence) {
    VarHandle.loadLoadFence();
    return Memory.getLongOpaque(slot + InboundSlotDescriptor.SEQUENCE_OFFSET) == sequence;
  }

  private long slot(int tid) {
    return base + InboundSlotDescriptor.slotOffset(tid);
  }

  private static long id(long address) {
    long inHostOrder = Memory.getLong(address);
    return REVERSED ? Long.reverseBytes(inHostOrder) : inHostOrder;
  }
}
