/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.ByteBuffer;

/** A span at its place in the hierarchy, otherwise as it came. */
final class Renaming {
  /** Of {@code SpanFlags}: it is known whether the parent is remote, and it is. */
  private static final int PARENT_IS_REMOTE = 0x300;

  private Renaming() {}

  /** The span itself where nothing changes. */
  static Span of(Span span, TraceState state) {
    boolean joined = state.parent != 0 && HalfSpan.spanId(span.getSpanId()) == state.root;
    if (!joined && TraceId.of(span.getTraceId()).equals(state.name)) {
      return span;
    }
    Span.Builder changed = span.toBuilder().setTraceId(state.name.message());
    if (joined) {
      ByteBuffer parent = ByteBuffer.allocate(Long.BYTES).putLong(0, state.parent);
      changed
          .setParentSpanId(ByteString.copyFrom(parent))
          .setFlags(span.getFlags() | PARENT_IS_REMOTE);
    }
    return changed.build();
  }
}
