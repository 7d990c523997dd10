/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;

/** A span at its place in the hierarchy, otherwise as it came. */
final class Renaming {
  /** Of {@code SpanFlags}: it is known whether the parent is remote, and it is. */
  private static final int PARENT_IS_REMOTE = 0x300;

  private static final int TRACE_ID =
      (Span.TRACE_ID_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private Renaming() {}

  static ByteString of(ByteString span, TraceState state) {
    if (state.parent == 0) {
      return renamed(span, state.name);
    }
    SpanHead head = SpanHead.of(span);
    return head.id() == state.root ? joined(span, head, state) : renamed(span, state.name);
  }

  /** The new name takes the place of the old one, for both have the same length. */
  private static ByteString renamed(ByteString span, TraceId name) {
    byte[] bytes = span.toByteArray();
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == TRACE_ID) {
          int length = in.readRawVarint32();
          if (length == TraceId.LENGTH) {
            name.write(ByteBuffer.wrap(bytes, in.getTotalBytesRead(), length));
          }
          in.skipRawBytes(length);
        } else {
          in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new SerializationException("a span that was read before is not readable now", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** What is new stands behind the rest, where it counts. */
  private static ByteString joined(ByteString span, SpanHead head, TraceState state) {
    ByteBuffer parent = ByteBuffer.allocate(Long.BYTES).putLong(0, state.parent);
    Span changes =
        Span.newBuilder()
            .setTraceId(state.name.message())
            .setParentSpanId(ByteString.copyFrom(parent))
            .setFlags(head.flags() | PARENT_IS_REMOTE)
            .build();
    ByteString.Output out = ByteString.newOutput(span.size() + 32);
    RawFields.forEach(
        span,
        (number, whole, value) -> {
          if (number != Span.TRACE_ID_FIELD_NUMBER
              && number != Span.PARENT_SPAN_ID_FIELD_NUMBER
              && number != Span.FLAGS_FIELD_NUMBER) {
            RawRequest.append(out, whole);
          }
        });
    RawRequest.append(out, changes.toByteString());
    return out.toByteString();
  }
}
