/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

/** Why a request is not taken, in the numbers of gRPC and of HTTP. */
enum Refusal {
  MALFORMED(3, 400),
  FORBIDDEN(7, 403),
  UNKNOWN(12, 404),
  WRONG_METHOD(12, 405),
  SLOW(4, 408),
  /** Without a time to wait, so that no client sends it again. */
  TOO_LARGE(8, 413),
  UNREADABLE(12, 415),
  /** OTLP specification, 1.10: gRPC clients send again what is UNAVAILABLE. */
  LATER(14, 429),
  FAULT(13, 500);

  private final int grpcStatus;
  private final int httpStatus;

  Refusal(int grpcStatus, int httpStatus) {
    this.grpcStatus = grpcStatus;
    this.httpStatus = httpStatus;
  }

  int grpcStatus() {
    return grpcStatus;
  }

  int httpStatus() {
    return httpStatus;
  }

  RefusedException because(String text) {
    return new RefusedException(this, text, null);
  }
}
