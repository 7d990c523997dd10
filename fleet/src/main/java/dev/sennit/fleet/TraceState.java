/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What is known of a trace where it is at home. */
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

  /**
   * A span that waits.
   *
   * @param page where its bytes are
   * @param index which of the spans there it is
   */
  record Held(WaitingPage page, int index) {}

  /** Stage, times, name, root and parent. */
  private static final int HEAD = 1 + 4 * Long.BYTES + TraceId.LENGTH;

  final TraceId trace;

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

  final SpanIds spans = new SpanIds();

  /** Traces that wait for the name of this one. */
  final List<TraceId> askers = new ArrayList<>(0);

  /** Spans that wait, in the order in which they came. */
  final List<Held> held = new ArrayList<>(2);

  /** While it waits: what is needed to know the same after a restart, in order. */
  final List<WaitingPage> pages = new ArrayList<>(2);

  /** How much of what is only ever added to is in these pages. */
  private int writtenAskers;

  private long writtenSpans;

  /** Whether anything was ever written of it, be it in pages that are no longer needed. */
  private boolean isWritten;

  TraceState(TraceId trace) {
    this.trace = trace;
    name = trace;
  }

  /** What {@link #writeNews} takes, in bytes. */
  int sizeOfNews(WaitingPage page) {
    return HEAD
        + Integer.BYTES
        + (askers.size() - writtenAskers) * TraceId.LENGTH
        + spans.size(writtenSpans)
        + Integer.BYTES
        + heldIn(page) * Integer.BYTES;
  }

  /** Writes what is not in the pages before. */
  void writeNews(ByteBuffer out, WaitingPage page) {
    out.put((byte) stage.code).putLong(due).putLong(touched).putLong(root).putLong(parent);
    name.write(out);
    List<TraceId> newAskers = askers.subList(writtenAskers, askers.size());
    out.putInt(newAskers.size());
    newAskers.forEach(asker -> asker.write(out));
    spans.write(out, writtenSpans);
    int here = heldIn(page);
    out.putInt(here);
    held.subList(held.size() - here, held.size()).forEach(span -> out.putInt(span.index()));
    written();
  }

  private void written() {
    isWritten = true;
    writtenAskers = askers.size();
    writtenSpans = spans.came();
  }

  boolean isWritten() {
    return isWritten;
  }

  /** From now on no page is needed for it. */
  void leave() {
    pages.forEach(page -> page.needed--);
    writtenAskers = 0;
    writtenSpans = 0;
    pages.clear();
  }

  /** They are the last. */
  private int heldIn(WaitingPage page) {
    int count = 0;
    while (count < held.size() && held.get(held.size() - 1 - count).page() == page) {
      count++;
    }
    return count;
  }

  /** Learns what was written. */
  void readNews(ByteBuffer in, WaitingPage page) {
    stage = Stage.of(in.get());
    due = in.getLong();
    touched = in.getLong();
    root = in.getLong();
    parent = in.getLong();
    name = TraceId.read(in);
    for (int left = in.getInt(); left > 0; left--) {
      askers.add(TraceId.read(in));
    }
    spans.read(in);
    for (int left = in.getInt(); left > 0; left--) {
      held.add(new Held(page, in.getInt()));
    }
    written();
  }

  /** What is remembered of a trace that has its name. */
  byte[] bytes() {
    ByteBuffer out = ByteBuffer.allocate(3 * Long.BYTES + TraceId.LENGTH + spans.size(0));
    out.putLong(touched).putLong(root).putLong(parent);
    name.write(out);
    spans.write(out, 0);
    return out.array();
  }

  /** One that has its name. */
  static TraceState of(TraceId trace, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    TraceState state = new TraceState(trace);
    state.stage = Stage.NAMED;
    state.touched = in.getLong();
    state.root = in.getLong();
    state.parent = in.getLong();
    state.name = TraceId.read(in);
    state.spans.read(in);
    return state;
  }

  /** Whether nothing came since for a trace that has its name; without reading the rest. */
  static boolean isOld(byte[] bytes, long until) {
    return ByteBuffer.wrap(bytes).getLong() < until;
  }
}
