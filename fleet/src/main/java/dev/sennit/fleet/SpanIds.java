/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The ids of the spans of a trace that have come, the latest; those that come twice do so soon. */
final class SpanIds {
  static final int MOST = 1024;

  private long[] ids = new long[4];
  private int count;

  /** How many ever came. */
  private long came;

  /** Answers whether it comes for the first time. */
  boolean add(long id) {
    for (int i = 0; i < count; i++) {
      if (ids[i] == id) {
        return false;
      }
    }
    if (count == ids.length && count < MOST) {
      ids = Arrays.copyOf(ids, 2 * count);
    }
    if (count < MOST) {
      count++;
    }
    ids[(int) (came % MOST)] = id;
    came++;
    return true;
  }

  long came() {
    return came;
  }

  /** What {@link #write} takes, in bytes. */
  int size(long since) {
    return Integer.BYTES + latest(since) * Long.BYTES;
  }

  private int latest(long since) {
    return (int) Math.min(came - since, count);
  }

  /**
   * Writes those that came since some had come, the oldest first.
   *
   * @param since how many had come; 0 for all that are known
   */
  void write(ByteBuffer out, long since) {
    int latest = latest(since);
    out.putInt(latest);
    for (long i = came - latest; i < came; i++) {
      out.putLong(ids[(int) (i % MOST)]);
    }
  }

  /** Adds what was written. */
  void read(ByteBuffer in) {
    for (int left = in.getInt(); left > 0; left--) {
      add(in.getLong());
    }
  }
}
