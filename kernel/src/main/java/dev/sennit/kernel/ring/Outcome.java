/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

/**
 * What became of something that the programs saw, each with a counter; the order is that of {@code
 * enum outcome} in the programs, which says more of each.
 */
public enum Outcome {
  NONE,
  INJECTED,
  INJECTED_SPLIT,
  ADOPTED,
  SKIPPED_NO_PARENT,
  SKIPPED_NO_ROOM,
  SKIPPED_BLANK_LINE_GONE,
  SKIPPED_HEADERS_TOO_LONG,
  SKIPPED_PIPELINED,
  SKIPPED_AMBIGUOUS_FRAMING,
  SKIPPED_OUT_OF_STEP,
  SKIPPED_UPGRADED,
  SKIPPED_HTTP2,
  SKIPPED_BUSY,
  SKIPPED_LEASE,
  FAILED_PUSH,
  FAILED_ROLLED_BACK,
  DROPPED,
  NOT_HTTP,
  PARENT_RECORD,
  PARENT_THREAD,
  PARENT_CONNECT,
  PARENT_ONLY,
  PARENT_NEW,
  PARENT_NONE,
  CONTEXT_CONTINUED,
  CONTEXT_NEW,
  CONTEXT_INVALID,
  CONTEXT_AMBIGUOUS,
  ANSWERED_ELSEWHERE,
  ENROLLED,
  NOT_ENROLLED,
  EVENTS,
  EVENTS_LOST,
  FIONREAD_SEEN,
  IO_URING_SEEN,
  TLS_WITHOUT_SOCKET;

  private static final Outcome[] ALL = values();

  static Outcome of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : NONE;
  }
}
