/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call that moved bytes of a connection: when, on which thread, and the ids that were decided
 * for requests in it. What was decided about an outbound request is told after its bytes, so ids
 * may still come when the bytes have long been understood; they are read when the exchange ends.
 */
public final class Piece {
  private final long time;
  private final int pid;
  private final int tid;
  private final @Nullable Belonging belonging;
  private @Nullable List<RequestIds> decisions;
  private int heads;

  /**
   * @param time nanoseconds of the host's monotonic clock
   */
  public Piece(long time, int pid, int tid) {
    this(time, pid, tid, null);
  }

  /**
   * @param belonging of what is written: the span that it belongs to, where that is certain
   */
  public Piece(long time, int pid, int tid, @Nullable Belonging belonging) {
    this.time = time;
    this.pid = pid;
    this.tid = tid;
    this.belonging = belonging;
  }

  public long time() {
    return time;
  }

  public int pid() {
    return pid;
  }

  public int tid() {
    return tid;
  }

  /** The span that the bytes belong to; null where that is not certain, and of what is read. */
  public @Nullable Belonging belonging() {
    return belonging;
  }

  /** Notes what was decided about the next request whose head ends in this piece. */
  public void decided(RequestIds ids) {
    if (decisions == null) {
      decisions = new ArrayList<>(1);
    }
    decisions.add(ids);
  }

  /**
   * To be called once by the parser for each request whose head ends in this piece, in their order.
   *
   * @return the number by which {@link #decision} knows it
   */
  public int nextHead() {
    return heads++;
  }

  /** What was decided about a request whose head ended here; null if nothing was. */
  public @Nullable RequestIds decision(int head) {
    return decisions == null || head >= decisions.size() ? null : decisions.get(head);
  }
}
