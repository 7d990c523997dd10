/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

/** What a reader made of the slots that it read. */
final class Tally {
  private long accepted;
  private long torn;
  private long refused;
  private long firstNumber;
  private long lastNumber;

  /** A reader that knows the trace flags accepted this as the context in {@code slot}. */
  void accept(int slot, long traceIdHigh, long traceIdLow, long spanId, int flags) {
    count(traceIdHigh, Stamp.isWhole(slot, traceIdHigh, traceIdLow, spanId, flags));
  }

  /** A reader that knows nothing of trace flags accepted this as the context in {@code slot}. */
  void accept(int slot, long traceIdHigh, long traceIdLow, long spanId) {
    count(traceIdHigh, Stamp.isWhole(slot, traceIdHigh, traceIdLow, spanId));
  }

  /** A reader refused what it read: it was being written, or there was nothing. */
  void refuse() {
    refused++;
  }

  private void count(long traceIdHigh, boolean whole) {
    accepted++;
    if (whole) {
      lastNumber = Stamp.number(traceIdHigh);
      if (firstNumber == 0) {
        firstNumber = lastNumber;
      }
    } else {
      torn++;
    }
  }

  long accepted() {
    return accepted;
  }

  long torn() {
    return torn;
  }

  long refused() {
    return refused;
  }

  /** How many times the writer wrote meanwhile. */
  long writes() {
    return lastNumber - firstNumber;
  }
}
