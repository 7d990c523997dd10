/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is known of a trace where it is at home, and the first of its spans that wait. */
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

  private static final int FIXED = 1 + 5 * Long.BYTES + TraceId.LENGTH + 4 * Integer.BYTES;

  /** What waits beyond this is beside the state, which is written anew whenever it changes. */
  private static final int MOST_HELD_BYTES = 4096;

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

  /** Spans that wait, in the order in which they came. */
  final List<byte[]> held = new ArrayList<>(2);

  /** In so many parts more of them wait beside the state. */
  int parts;

  /** Whether it is kept in memory while it waits. */
  final boolean inMemory;

  /** What it took when it was read, in bytes; 0 if it is new. */
  final int size;

  private long[] spans;
  private int count;

  /** How many ever came. */
  private long came;

  TraceState(TraceId trace, boolean inMemory) {
    name = trace;
    this.inMemory = inMemory;
    size = 0;
    spans = new long[8];
  }

  private TraceState(ByteBuffer in, boolean inMemory) {
    this.inMemory = inMemory;
    size = in.remaining();
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
    for (int i = 0; i < count; i++) {
      spans[i] = in.getLong();
    }
    parts = in.getInt();
    int waitingHere = in.getInt();
    for (int i = 0; i < waitingHere; i++) {
      byte[] part = new byte[in.getInt()];
      in.get(part);
      held.add(part);
    }
  }

  static TraceState of(byte[] bytes, boolean inMemory) {
    return new TraceState(ByteBuffer.wrap(bytes), inMemory);
  }

  byte[] bytes() {
    ByteBuffer out =
        ByteBuffer.allocate(
            FIXED
                + askers.size() * TraceId.LENGTH
                + count * Long.BYTES
                + held.size() * Integer.BYTES
                + heldBytes());
    out.put((byte) stage.code).putLong(due).putLong(touched);
    name.write(out);
    out.putLong(root).putLong(parent).putLong(came).putInt(askers.size());
    askers.forEach(asker -> asker.write(out));
    out.putInt(count);
    for (int i = 0; i < count; i++) {
      out.putLong(spans[i]);
    }
    out.putInt(parts).putInt(held.size());
    held.forEach(part -> out.putInt(part.length).put(part));
    return out.array();
  }

  private int heldBytes() {
    int sum = 0;
    for (byte[] part : held) {
      sum += part.length;
    }
    return sum;
  }

  /** Answers whether there was room for spans that wait. */
  boolean hold(byte[] part) {
    return inMemory && heldBytes() + part.length <= MOST_HELD_BYTES && held.add(part);
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
