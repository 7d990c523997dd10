/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is known of a trace where it is at home; its spans that wait are beside it. */
final class TraceState {
  /** What it waits for. */
  enum Stage {
    /** Its root, which has not come yet. */
    OPEN(0),
    /** What is found about its root. */
    ROOTED(1),
    /** The name of the trace that it continues. */
    BELOW(2),
    /** Nothing: it has its name. */
    NAMED(3);

    private final int code;

    Stage(int code) {
      this.code = code;
    }

    private static Stage of(int code) {
      return switch (code) {
        case 0 -> OPEN;
        case 1 -> ROOTED;
        case 2 -> BELOW;
        default -> NAMED;
      };
    }
  }

  /** So many spans are known to have come, the latest; those that come twice do so soon. */
  private static final int MOST_SPANS = 1024;

  private static final int FIXED = 1 + 5 * Long.BYTES + TraceId.LENGTH + 2 * Integer.BYTES;

  Stage stage = Stage.OPEN;

  /** When it no longer waits. */
  long due;

  /** When something came for it the last time. */
  long touched;

  /** Its name, or that of the trace that it hangs below. */
  TraceId name;

  /** The root that something was found about; 0 if there is none. */
  long root;

  /** The span above the root; 0 if there is none. */
  long parent;

  /** Traces that wait for the name of this one. */
  final List<TraceId> askers = new ArrayList<>(0);

  private long[] spans;
  private int count;

  /** How many ever came. */
  private long came;

  TraceState(TraceId trace) {
    name = trace;
    spans = new long[8];
  }

  private TraceState(ByteBuffer in) {
    stage = Stage.of(in.get());
    due = in.getLong();
    touched = in.getLong();
    name = TraceId.read(in);
    root = in.getLong();
    parent = in.getLong();
    came = in.getLong();
    int waiting = in.getInt();
    for (int i = 0; i < waiting; i++) {
      askers.add(TraceId.read(in));
    }
    count = in.getInt();
    spans = new long[count + 4];
    in.asLongBuffer().get(spans, 0, count);
  }

  static TraceState of(byte[] bytes) {
    return new TraceState(ByteBuffer.wrap(bytes));
  }

  byte[] bytes() {
    ByteBuffer out =
        ByteBuffer.allocate(FIXED + askers.size() * TraceId.LENGTH + count * Long.BYTES);
    out.put((byte) stage.code).putLong(due).putLong(touched);
    name.write(out);
    out.putLong(root).putLong(parent).putLong(came).putInt(askers.size());
    askers.forEach(asker -> asker.write(out));
    out.putInt(count);
    out.asLongBuffer().put(spans, 0, count);
    return out.array();
  }

  /** Whether nothing came for a trace since, and it waits for nothing; without reading the rest. */
  static boolean isOld(byte[] bytes, long until) {
    return bytes[0] == Stage.NAMED.code && ByteBuffer.wrap(bytes).getLong(1 + Long.BYTES) < until;
  }

  /** Answers whether it comes for the first time. */
  boolean add(long span) {
    for (int i = 0; i < count; i++) {
      if (spans[i] == span) {
        return false;
      }
    }
    if (count == spans.length) {
      spans = Arrays.copyOf(spans, 2 * spans.length);
    }
    spans[count < MOST_SPANS ? count++ : (int) (came % MOST_SPANS)] = span;
    came++;
    return true;
  }
}
