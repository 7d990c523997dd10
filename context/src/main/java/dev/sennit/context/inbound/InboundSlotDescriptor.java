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
 *   0          8     12          16         32        40      41     42       43  48      56  64
 *   +----------+-----+-----------+----------+---------+-------+------+--------+---+-------+---+
 *   | sequence | tid | PID       | trace id | span id | trace | open | shared | 0 | since | 0 |
 *   | number   |     | namespace | 16 bytes | 8 bytes | flags |      |        |   |       |   |
 *   +----------+-----+-----------+----------+---------+-------+------+--------+---+-------+---+
 * </pre>
 *
 * The sequence number grows with each request and is odd while the rest is being written: what was
 * read between two looks at the same even number belongs together. The tid is the one in the
 * thread's own PID namespace, which is named by the inode of {@code /proc/self/ns/pid}; threads of
 * other namespaces may have the same. A request is open until its response is complete. It is
 * shared if it came by a socket that does not block, whose reader may serve others in between.
 *
 * <p>The programs see nothing while nobody renews their lease. A slot says since when they had it
 * without a gap, and so does one more behind all, which also has, in the place of the sequence
 * number, until when they have it; both by {@code CLOCK_MONOTONIC}, in nanoseconds. What was read
 * in another lease than the present one may have been answered unseen.
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
  public static final int SINCE_OFFSET = 48;

  /** That of a cache line, so that threads with neighbouring numbers do not disturb each other. */
  public static final int SLOT_LENGTH = 64;

  /** A power of two. */
  public static final int CAPACITY = 65_536;

  /** Where the slot is that says how long the programs have been at work, and will be. */
  public static final long LEASE_SLOT = (long) SLOT_LENGTH * CAPACITY;

  /** Bytes of the array. */
  public static final long LENGTH = LEASE_SLOT + SLOT_LENGTH;

  private InboundSlotDescriptor() {}

  /** Where the slot of {@code tid} is, from the start of the array. */
  public static long slotOffset(int tid) {
    return (long) SLOT_LENGTH * (tid & (CAPACITY - 1));
  }
}
