/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.nio.ByteBuffer;

/** Something that a trace is to know, wherever it is at home. */
sealed interface Letter {
  /** The trace that it is for. */
  TraceId to();

  /** The root of the trace is the other side of a CLIENT span. */
  record Found(TraceId to, TraceId above, long clientSpan) implements Letter {}

  /** No CLIENT span is the other side of the trace's root for certain. */
  record NotFound(TraceId to) implements Letter {}

  /** Another trace hangs below this one and has to know what it is called in the end. */
  record Ask(TraceId to, TraceId asker) implements Letter {}

  /** The trace that this one hangs below is called so. */
  record Named(TraceId to, TraceId name) implements Letter {}

  /** Its size is the same for all kinds. */
  int SIZE = 1 + 2 * TraceId.LENGTH + Long.BYTES;

  /** Writes kind, receiver, the other trace and a span; 0 where there is none. */
  default void write(ByteBuffer out) {
    switch (this) {
      case Found found -> write(out, 0, found.above, found.clientSpan);
      case NotFound _ -> write(out, 1, to(), 0);
      case Ask ask -> write(out, 2, ask.asker, 0);
      case Named named -> write(out, 3, named.name, 0);
    }
  }

  private void write(ByteBuffer out, int kind, TraceId other, long span) {
    out.put((byte) kind);
    to().write(out);
    other.write(out);
    out.putLong(span);
  }

  static Letter read(ByteBuffer in) {
    byte kind = in.get();
    TraceId to = TraceId.read(in);
    TraceId other = TraceId.read(in);
    long span = in.getLong();
    return switch (kind) {
      case 0 -> new Found(to, other, span);
      case 1 -> new NotFound(to);
      case 2 -> new Ask(to, other);
      case 3 -> new Named(to, other);
      default -> throw new IllegalArgumentException("there is no letter of kind " + kind);
    };
  }
}
