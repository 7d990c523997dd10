/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.parse.LineParser;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a thread has written to a descriptor and what may still go on. */
final class Held {
  private static final byte[] NEWLINE = {'\n'};
  private static final int SMALL = 256;

  /** A memory that one long line needed is not kept for the short ones. */
  private static final int MOST_KEPT = 4096;

  private byte[] bytes = new byte[SMALL];
  private int size;
  private boolean begun;
  private boolean ended;
  private boolean cut;
  private boolean shared;
  private boolean skipping;
  private long time;
  private long touched;
  private Told told = Told.NOTHING;
  private @Nullable SpanContext span;
  private NativeName name = NativeName.NONE;

  /** Whether there is a line, be it empty. */
  boolean isBegun() {
    return begun;
  }

  /** Whether the end of its last line was seen, so that only another line can go on with it. */
  boolean isEnded() {
    return ended;
  }

  /** Whether it is too long already, and still goes on. */
  boolean isOverfull() {
    return begun && cut && !ended;
  }

  /** Whether what comes until the end of the line belongs to one that has gone out, cut. */
  boolean isSkipping() {
    return skipping;
  }

  void skip(boolean newSkipping) {
    skipping = newSkipping;
  }

  /** Whether the thread is still in the span in which it began the line. */
  boolean isOfSpan(@Nullable SpanContext other) {
    return Objects.equals(span, other);
  }

  long touched() {
    return touched;
  }

  int size() {
    return size;
  }

  void begin(Write write, boolean newShared) {
    begun = true;
    ended = false;
    cut = false;
    size = 0;
    shared = newShared;
    time = write.time();
    told = write.told();
    span = write.span();
    name = write.name();
  }

  /** Adds bytes that have no end of line in them, as far as there is room. */
  void add(byte[] source, int from, int to, int most) {
    int length = Math.min(to - from, most - size);
    cut |= length < to - from;
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(most, Math.max(2 * bytes.length, size + length)));
    }
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  /** Another line begins that belongs to this one. */
  void goOn(int most) {
    add(NEWLINE, 0, 1, most);
    ended = false;
  }

  void end() {
    ended = true;
  }

  void cut() {
    cut = true;
  }

  void touch(long now) {
    touched = now;
  }

  Line take(Writer writer, LineParser parser) {
    int length = size;
    while (length > 0 && (bytes[length - 1] == '\r' || bytes[length - 1] == '\n')) {
      length--;
    }
    Line line =
        new Line(
            writer.pid(),
            writer.tid(),
            writer.descriptor(),
            time,
            Arrays.copyOf(bytes, length),
            cut,
            told,
            span,
            name,
            shared,
            parser);
    begun = false;
    size = 0;
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[SMALL];
    }
    return line;
  }
}
