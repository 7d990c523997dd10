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

  /** What is new stands behind the rest, where it counts. */
  static ByteString of(ByteString span, SpanHead head, TraceState state) {
    boolean joined = state.parent != 0 && head.id() == state.root;
    Span.Builder changes = Span.newBuilder().setTraceId(state.name.message());
    if (joined) {
      ByteBuffer parent = ByteBuffer.allocate(Long.BYTES).putLong(0, state.parent);
      changes
          .setParentSpanId(ByteString.copyFrom(parent))
          .setFlags(head.flags() | PARENT_IS_REMOTE);
    }
    ByteString.Output out = ByteString.newOutput(span.size() + 32);
    RawFields.forEach(
        span,
        (number, whole, value) -> {
          boolean replaced =
              number == Span.TRACE_ID_FIELD_NUMBER
                  || (joined
                      && (number == Span.PARENT_SPAN_ID_FIELD_NUMBER
                          || number == Span.FLAGS_FIELD_NUMBER));
          if (!replaced) {
            RawRequest.append(out, whole);
          }
        });
    RawRequest.append(out, changes.build().toByteString());
    return out.toByteString();
  }
}
