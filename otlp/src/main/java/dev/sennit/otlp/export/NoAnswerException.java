/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** A request that got no answer. */
final class NoAnswerException extends Exception {
  private final boolean requestComplete;

  NoAnswerException(String message, boolean requestComplete, Throwable cause) {
    super(message, cause);
    this.requestComplete = requestComplete;
  }

  /** Whether the other side may have got the whole request. */
  boolean isRequestComplete() {
    return requestComplete;
  }
}
