/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

/** Something that was heard of a connection or a process, in the order in which it happened. */
public sealed interface TrafficEvent {
  /** A connection was made. */
  record Opened(Flow flow, Piece by) implements TrafficEvent {}

  /**
   * A process read bytes, or is about to write them.
   *
   * @param written whether they were written
   * @param bytes as many as were captured, from the begin on
   * @param size how many there were
   */
  // Events are handed on once and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Moved(Flow flow, boolean written, Piece piece, byte[] bytes, long size)
      implements TrafficEvent {}

  /** Of the bytes that were about to be written last, another number went out. */
  record Sent(Flow flow, long size) implements TrafficEvent {}

  /** What was decided about a request in the bytes that were about to be written last. */
  record Decided(Flow flow, RequestIds ids) implements TrafficEvent {}

  /** A process closed its end. */
  record Closed(Flow flow, Piece by) implements TrafficEvent {}

  /** A process has ended, and all its connections with it. */
  record Ended(Piece by) implements TrafficEvent {}
}
