/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

/**
 * Layout of the array that the kernel's programs write, one slot for each value of {@code tid %
 * CAPACITY}. Numbers are in host order, ids are bytes in the order of W3C's traceparent.
 *
 * <pre>
 *   0          8     12          16         32        40      41     42       43      64
 *   +----------+-----+-----------+----------+---------+-------+------+--------+-------+
 *   | sequence | tid | PID       | trace id | span id | trace | open | shared | 0     |
 *   | number   |     | namespace | 16 bytes | 8 bytes | flags |      |        |       |
 *   +----------+-----+-----------+----------+---------+-------+------+--------+-------+
 * </pre>
 *
 * The sequence number grows with each request and is odd while the rest is being written: what was
 * read between two looks at the same even number belongs together. The tid is the one in the
 * thread's own PID namespace, which is named by the inode of {@code /proc/self/ns/pid}; threads of
 * other namespaces may have the same. A request is open until its response is complete. It is
 * shared if it came by a socket that does not block, whose reader may serve others in between.
 */
public final class InboundSlotDescriptor {
  public static final int SEQUENCE_OFFSET = 0;
  public static final int TID_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
  public static final int PID_NAMESPACE_OFFSET = TID_OFFSET + Integer.BYTES;
  public static final int TRACE_ID_OFFSET = PID_NAMESPACE_OFFSET + Integer.BYTES;
  public static final int SPAN_ID_OFFSET = TRACE_ID_OFFSET + 2 * Long.BYTES;
  public static final int FLAGS_OFFSET = SPAN_ID_OFFSET + Long.BYTES;
  public static final int OPEN_OFFSET = FLAGS_OFFSET + Byte.BYTES;
  public static final int SHARED_OFFSET = OPEN_OFFSET + Byte.BYTES;

  /** That of a cache line, so that threads with neighbouring numbers do not disturb each other. */
  public static final int SLOT_LENGTH = 64;

  /** A power of two. */
  public static final int CAPACITY = 65_536;

  /** Bytes of the array. */
  public static final long LENGTH = (long) SLOT_LENGTH * CAPACITY;

  private InboundSlotDescriptor() {}

  /** Where the slot of {@code tid} is, from the start of the array. */
  public static long slotOffset(int tid) {
    return (long) SLOT_LENGTH * (tid & (CAPACITY - 1));
  }
}
