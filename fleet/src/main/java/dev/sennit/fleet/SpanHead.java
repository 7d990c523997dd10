/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;

/**
 * What has to be known of a span to send it on.
 *
 * @param parent 0 if there is none
 * @param end nanoseconds since 1970
 * @param attributes as bytes
 */
record SpanHead(
    ByteString traceId,
    ByteString spanId,
    long parent,
    SpanKind kind,
    long start,
    long end,
    int flags,
    List<ByteString> attributes) {

  static SpanHead of(ByteString span) {
    ByteString traceId = ByteString.EMPTY;
    ByteString spanId = ByteString.EMPTY;
    long parent = 0;
    int kind = 0;
    long start = 0;
    long end = 0;
    int flags = 0;
    List<ByteString> attributes = new ArrayList<>(12);
    try {
      CodedInputStream in = span.newCodedInput();
      while (!in.isAtEnd()) {
        int tag = in.readTag();
        boolean delimited = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
        switch (delimited ? WireFormat.getTagFieldNumber(tag) : -tag) {
          case Span.TRACE_ID_FIELD_NUMBER -> traceId = value(span, in);
          case Span.SPAN_ID_FIELD_NUMBER -> spanId = value(span, in);
          case Span.PARENT_SPAN_ID_FIELD_NUMBER -> parent = number(value(span, in));
          case Span.ATTRIBUTES_FIELD_NUMBER -> attributes.add(value(span, in));
          case -((Span.KIND_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_VARINT) ->
              kind = in.readEnum();
          case -((Span.START_TIME_UNIX_NANO_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_FIXED64) ->
              start = in.readFixed64();
          case -((Span.END_TIME_UNIX_NANO_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_FIXED64) ->
              end = in.readFixed64();
          case -((Span.FLAGS_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_FIXED32) ->
              flags = in.readFixed32();
          default -> in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new SerializationException("a span that was read before is not readable now", e);
    }
    SpanKind known = SpanKind.forNumber(kind);
    return new SpanHead(
        traceId,
        spanId,
        parent,
        known == null ? SpanKind.UNRECOGNIZED : known,
        start,
        end,
        flags,
        attributes);
  }

  /** The value of a field whose tag was read, and which has a length. */
  static ByteString value(ByteString message, CodedInputStream in) throws IOException {
    int length = in.readRawVarint32();
    int begin = in.getTotalBytesRead();
    in.skipRawBytes(length);
    return message.substring(begin, begin + length);
  }

  /** Of the bytes of an id, however many they are. */
  private static long number(ByteString id) {
    long number = 0;
    for (int i = 0; i < id.size(); i++) {
      number = (number << 8) | (id.byteAt(i) & 0xff);
    }
    return number;
  }

  TraceId trace() {
    return TraceId.of(traceId);
  }

  long id() {
    return number(spanId);
  }

  boolean isRoot() {
    return parent == 0;
  }

  boolean isServer() {
    return kind == SpanKind.SPAN_KIND_SERVER;
  }
}
