/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * Layout of the block of native memory that every OS thread has once it uses a context, and that
 * {@code thread_context.c} allocates.
 *
 * <pre>
 *   0        8    12   16       24       32                 128                    768
 *   +--------+----+----+--------+--------+------------------+----------------------+
 *   | ring   | tid| pid| next   | rounds | record of mode   | record of mode       |
 *   | slot   |    |    | (C's)  | (C's)  | profiler         | otep                 |
 *   +--------+----+----+--------+--------+------------------+----------------------+
 * </pre>
 */
final class ThreadBlockDescriptor {
  static final int RING_SLOT_OFFSET = 0;
  static final int TID_OFFSET = RING_SLOT_OFFSET + Long.BYTES;
  static final int PID_OFFSET = TID_OFFSET + Integer.BYTES;
  static final int NEXT_OFFSET = PID_OFFSET + Integer.BYTES;
  static final int ROUNDS_OFFSET = NEXT_OFFSET + Long.BYTES;
  static final int PROFILER_RECORD_OFFSET = ROUNDS_OFFSET + Long.BYTES;
  static final int OTEP_RECORD_OFFSET = PROFILER_RECORD_OFFSET + 96;
  static final int LENGTH = OTEP_RECORD_OFFSET + OtepRecordDescriptor.MAX_LENGTH;

  private ThreadBlockDescriptor() {}
}
