/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * Layout of the ring of mode {@code otel}, a header and then one slot for each value of {@code tid
 * % capacity}. Numbers are in host order.
 *
 * <pre>
 *   Header                                          Slot
 *   0      4        8         12         16    32   0           8          16       24       32
 *   +------+--------+---------+----------+-----+    +-----------+----------+--------+--------+
 *   | magic| version| capacity| slot size| 0   |    | trace id  | trace id | span   | control|
 *   |      | 1      |         | 32       |     |    | high      | low      | id     | word   |
 *   +------+--------+---------+----------+-----+    +-----------+----------+--------+--------+
 *
 *   Control word, always read and written as a whole
 *   bit 0          8             16              40                64
 *   +--------------+-------------+---------------+-----------------+
 *   | in use (0/1) | trace flags | tid, 0 = free | sequence number |
 *   +--------------+-------------+---------------+-----------------+
 * </pre>
 *
 * A reader that knows only the flag finds it in byte 0x18. A reader that knows the word accepts ids
 * only if the word was the same before and after them, its flag is 0 and its tid is the one looked
 * for: so it meets neither torn ids nor those of another thread that shares the slot. The sequence
 * number goes on when a slot is cleared.
 */
public final class RingDescriptor {
  public static final int MAGIC = 0x4F54454C;
  public static final int VERSION = 1;

  /** What the mapping is called in {@code /proc/PID/maps}, where the kernel names mappings. */
  public static final String MAPPING_NAME = "DD_OTEL_CTX";

  /** Key of the process record that tells where the ring is. */
  public static final String ADDRESS_KEY = "sennit.thread_ring.address";

  /** Key of the process record that tells how many slots the ring has. */
  public static final String CAPACITY_KEY = "sennit.thread_ring.capacity";

  public static final int MAGIC_OFFSET = 0;
  public static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;
  public static final int CAPACITY_OFFSET = VERSION_OFFSET + Integer.BYTES;
  public static final int SLOT_SIZE_OFFSET = CAPACITY_OFFSET + Integer.BYTES;
  public static final int HEADER_LENGTH = 32;

  public static final int TRACE_ID_HIGH_OFFSET = 0;
  public static final int TRACE_ID_LOW_OFFSET = TRACE_ID_HIGH_OFFSET + Long.BYTES;
  public static final int SPAN_ID_OFFSET = TRACE_ID_LOW_OFFSET + Long.BYTES;
  public static final int CONTROL_OFFSET = SPAN_ID_OFFSET + Long.BYTES;
  public static final int SLOT_LENGTH = CONTROL_OFFSET + Long.BYTES;

  static final long IN_USE = 1;
  private static final int FLAGS_SHIFT = 8;
  private static final int TID_SHIFT = 16;
  private static final int SEQUENCE_SHIFT = 40;
  static final long TID_MASK = 0xFFFFFFL << TID_SHIFT;
  static final long SEQUENCE_ONE = 1L << SEQUENCE_SHIFT;
  static final long SEQUENCE_MASK = -1L << SEQUENCE_SHIFT;

  private RingDescriptor() {}

  /** Bytes of a ring with {@code capacity} slots. */
  public static long length(int capacity) {
    return HEADER_LENGTH + (long) SLOT_LENGTH * capacity;
  }

  /** Where the slot of {@code tid} is, from the start of the ring. */
  public static long slotOffset(int tid, int capacity) {
    return HEADER_LENGTH + (long) SLOT_LENGTH * (tid % capacity);
  }

  public static boolean isInUse(long control) {
    return (control & 0xFF) != 0;
  }

  public static int flags(long control) {
    return (int) (control >>> FLAGS_SHIFT) & 0xFF;
  }

  public static int tid(long control) {
    return (int) (control >>> TID_SHIFT) & 0xFFFFFF;
  }

  /** The tid as it stands in a control word. */
  static long tidBits(int tid) {
    return ((long) tid << TID_SHIFT) & TID_MASK;
  }

  static long flagBits(int flags) {
    return (flags & 0xFFL) << FLAGS_SHIFT;
  }
}
