/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.sennit.intake.Encoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The message {@code google.rpc.Status} of a refusal, with {@code google.rpc.RetryInfo} where there
 * is a time to wait. Written by hand, for the library that has them has two thousand others.
 */
final class RpcStatus {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

  // The numbers of the fields in google/rpc/status.proto and google/rpc/error_details.proto.
  private static final int CODE = 1;
  private static final int MESSAGE = 2;
  private static final int DETAILS = 3;
  private static final int RETRY_DELAY = 1;

  private RpcStatus() {}

  static byte[] of(RefusedException refused, Encoding encoding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (encoding == Encoding.PROTOBUF) {
        writeProtobuf(refused, bytes);
      } else {
        writeJson(refused, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void writeProtobuf(RefusedException refused, ByteArrayOutputStream bytes)
      throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeInt32(CODE, refused.refusal().grpcStatus());
    out.writeString(MESSAGE, refused.text());
    @Nullable Duration after = refused.after();
    if (after != null) {
      out.writeMessage(DETAILS, retryInfo(after));
    }
    out.flush();
  }

  private static Any retryInfo(Duration after) throws IOException {
    var delay =
        com.google.protobuf.Duration.newBuilder()
            .setSeconds(after.getSeconds())
            .setNanos(after.getNano())
            .build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeMessage(RETRY_DELAY, delay);
    out.flush();
    return Any.newBuilder()
        .setTypeUrl(RETRY_INFO)
        .setValue(ByteString.copyFrom(bytes.toByteArray()))
        .build();
  }

  private static void writeJson(RefusedException refused, ByteArrayOutputStream bytes)
      throws IOException {
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberField("code", refused.refusal().grpcStatus());
      out.writeStringField("message", refused.text());
      @Nullable Duration after = refused.after();
      if (after != null) {
        out.writeArrayFieldStart("details");
        out.writeStartObject();
        out.writeStringField("@type", RETRY_INFO);
        out.writeStringField(
            "retryDelay",
            BigDecimal.valueOf(after.toMillis(), 3).stripTrailingZeros().toPlainString() + "s");
        out.writeEndObject();
        out.writeEndArray();
      }
      out.writeEndObject();
    }
  }
}
