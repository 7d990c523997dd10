/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** The status codes of gRPC, in the order of their numbers. */
enum GrpcStatus {
  OK,
  CANCELLED,
  UNKNOWN,
  INVALID_ARGUMENT,
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  ABORTED,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  INTERNAL,
  UNAVAILABLE,
  DATA_LOSS,
  UNAUTHENTICATED;

  private static final GrpcStatus[] VALUES = values();

  /** A number that is none of them counts as {@link #UNKNOWN}, as gRPC demands. */
  static GrpcStatus parse(String number) {
    try {
      int code = Integer.parseInt(number);
      return code >= 0 && code < VALUES.length ? VALUES[code] : UNKNOWN;
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  /** For an answer without a status of gRPC: gRPC's "HTTP to gRPC Status Code Mapping". */
  static GrpcStatus ofHttp(int status) {
    return switch (status) {
      case 400 -> INTERNAL;
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404 -> UNIMPLEMENTED;
      case 429, 502, 503, 504 -> UNAVAILABLE;
      default -> UNKNOWN;
    };
  }

  /**
   * OTLP specification, "Failures" of OTLP/gRPC.
   *
   * @param collectorNamedDelay whether the answer holds a {@code RetryInfo}
   */
  boolean isRetryable(boolean collectorNamedDelay) {
    return switch (this) {
      case CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS -> true;
      case RESOURCE_EXHAUSTED -> collectorNamedDelay;
      default -> false;
    };
  }
}
