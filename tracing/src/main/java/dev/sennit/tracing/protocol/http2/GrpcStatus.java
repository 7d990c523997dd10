/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What gRPC calls its results, and which of them are errors. */
final class GrpcStatus {
  private static final List<String> NAMES =
      List.of(
          "OK",
          "CANCELLED",
          "UNKNOWN",
          "INVALID_ARGUMENT",
          "DEADLINE_EXCEEDED",
          "NOT_FOUND",
          "ALREADY_EXISTS",
          "PERMISSION_DENIED",
          "RESOURCE_EXHAUSTED",
          "FAILED_PRECONDITION",
          "ABORTED",
          "OUT_OF_RANGE",
          "UNIMPLEMENTED",
          "INTERNAL",
          "UNAVAILABLE",
          "DATA_LOSS",
          "UNAUTHENTICATED");

  /** Of a server; the others are the client's own doing. */
  private static final Set<String> SERVER_ERRORS =
      Set.of(
          "UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS");

  private static final int TRACE_LENGTH = 29;

  private GrpcStatus() {}

  static void put(Exchange exchange, String status, boolean server) {
    exchange.put("rpc.response.status_code", status);
    if (server ? SERVER_ERRORS.contains(status) : !status.equals("OK")) {
      exchange.failed(status);
    }
  }

  /** The name of the value of {@code grpc-status}; a number that has none stays a number. */
  static String ofTrailer(String value) {
    int code = 0;
    for (int i = 0; i < value.length(); i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i > 8) {
        return "UNKNOWN";
      }
      code = code * 10 + digit;
    }
    return value.isEmpty() ? "UNKNOWN" : code < NAMES.size() ? NAMES.get(code) : value;
  }

  /** Where the server did not say a status: "HTTP to gRPC Status Code Mapping". */
  static String ofHttp(int status) {
    return switch (status) {
      case 400 -> "INTERNAL";
      case 401 -> "UNAUTHENTICATED";
      case 403 -> "PERMISSION_DENIED";
      case 404 -> "UNIMPLEMENTED";
      case 429, 502, 503, 504 -> "UNAVAILABLE";
      default -> "UNKNOWN";
    };
  }

  /** Where the stream was reset: "gRPC over HTTP2", section Errors. */
  static String ofReset(String error) {
    return switch (error) {
      case "REFUSED_STREAM", Stream.CLOSED -> "UNAVAILABLE";
      case "CANCEL" -> "CANCELLED";
      case "ENHANCE_YOUR_CALM" -> "RESOURCE_EXHAUSTED";
      case "INADEQUATE_SECURITY" -> "PERMISSION_DENIED";
      default -> "INTERNAL";
    };
  }

  /**
   * The ids in {@code grpc-trace-bin}: a version of 0, and then each field after its number, the
   * trace id (0), the span id (1), the options (2); null for anything else.
   */
  static @Nullable TraceIds traceIds(String value) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (bytes.length != TRACE_LENGTH
        || bytes[0] != 0
        || bytes[1] != 0
        || bytes[18] != 1
        || bytes[27] != 2) {
      return null;
    }
    long high = number(bytes, 2);
    long low = number(bytes, 10);
    long span = number(bytes, 19);
    return (high | low) == 0 || span == 0
        ? null
        : new TraceIds(high, low, span, 0, bytes[28] & 0xff);
  }

  private static long number(byte[] bytes, int at) {
    long first = FrameReader.number(bytes, at);
    return first << 32 | (FrameReader.number(bytes, at + 4) & 0xffffffffL);
  }
}
