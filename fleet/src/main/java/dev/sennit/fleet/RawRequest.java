/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sennit.intake.Encoding;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.SerializationException;

/**
 * A request as bytes, taken apart into spans as bytes: of most spans next to nothing has to be
 * known, and what is not read need not be written again, whatever it is.
 */
final class RawRequest {
  /** Of {@code ExportTraceServiceRequest}. */
  static final int RESOURCE_SPANS = 1;

  /** Of {@code ResourceSpans}. */
  static final int SCOPE_SPANS = 2;

  /** Of {@code ScopeSpans}. */
  static final int SPANS = 2;

  /**
   * A span with what it stands in.
   *
   * @param resource all of {@code ResourceSpans} but the spans
   * @param scope all of {@code ScopeSpans} but the spans
   */
  record Placed(ByteString resource, ByteString scope, ByteString span) {
    Placed with(ByteString other) {
      return new Placed(resource, scope, other);
    }
  }

  private RawRequest() {}

  /** Says of each span of a request where it stands. */
  static void forEach(ByteString request, Consumer<Placed> consumer) {
    RawFields.forEach(
        request,
        (number, whole, value) -> {
          if (number == RESOURCE_SPANS) {
            forEachOfResource(value, consumer);
          }
        });
  }

  private static void forEachOfResource(ByteString resourceSpans, Consumer<Placed> consumer) {
    ByteString resource = without(resourceSpans, SCOPE_SPANS);
    RawFields.forEach(
        resourceSpans,
        (number, whole, scopeSpans) -> {
          if (number == SCOPE_SPANS) {
            ByteString scope = without(scopeSpans, SPANS);
            RawFields.forEach(
                scopeSpans,
                (field, all, span) -> {
                  if (field == SPANS) {
                    consumer.accept(new Placed(resource, scope, span));
                  }
                });
          }
        });
  }

  private static ByteString without(ByteString message, int field) {
    ByteString.Output rest = ByteString.newOutput(256);
    RawFields.forEach(
        message,
        (number, whole, value) -> {
          if (number != field) {
            append(rest, whole);
          }
        });
    return rest.toByteString();
  }

  /** As it goes out. */
  static byte[] encoded(Encoding encoding, ByteString request) {
    if (encoding == Encoding.PROTOBUF) {
      return request.toByteArray();
    }
    try {
      return encoding.write(ExportTraceServiceRequest.parseFrom(request));
    } catch (InvalidProtocolBufferException e) {
      throw new SerializationException("a request that was read before is not readable now", e);
    }
  }

  static void append(ByteString.Output out, ByteString bytes) {
    try {
      bytes.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }
}
