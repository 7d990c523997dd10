/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * Layout of the record of mode {@code profiler}: 64 bytes that profilers know, then what they do
 * not need.
 *
 * <pre>
 *   0          8            16         24            64            72           80      88
 *   +----------+------------+----------+-------------+-------------+------------+-------+
 *   | span id  | root span  | checksum | 10 tags     | trace id    | trace id   | flags |
 *   |          | id         |          | of 32 bits  | high        | low        |       |
 *   +----------+------------+----------+-------------+-------------+------------+-------+
 * </pre>
 *
 * Numbers are in host order. A checksum of 0 says that a write is in progress or that there is no
 * context.
 */
final class ProfilerRecordDescriptor {
  static final int SPAN_ID_OFFSET = 0;
  static final int ROOT_SPAN_ID_OFFSET = SPAN_ID_OFFSET + Long.BYTES;
  static final int CHECKSUM_OFFSET = ROOT_SPAN_ID_OFFSET + Long.BYTES;
  static final int TAGS_OFFSET = CHECKSUM_OFFSET + Long.BYTES;
  static final int TAG_COUNT = 10;
  static final int TRACE_ID_HIGH_OFFSET = TAGS_OFFSET + TAG_COUNT * Integer.BYTES;
  static final int TRACE_ID_LOW_OFFSET = TRACE_ID_HIGH_OFFSET + Long.BYTES;
  static final int FLAGS_OFFSET = TRACE_ID_LOW_OFFSET + Long.BYTES;

  /** 2^64 divided by the golden ratio: neighbouring ids give distant products. */
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private ProfilerRecordDescriptor() {}

  /**
   * The checksum over both ids, never 0; the ids' halves are swapped so that equal ids do not
   * cancel out.
   */
  static long checksum(long spanId, long rootSpanId) {
    long sum = (spanId * MULTIPLIER) ^ (Long.rotateLeft(rootSpanId, 32) * MULTIPLIER);
    return sum == 0 ? -1 : sum;
  }
}
