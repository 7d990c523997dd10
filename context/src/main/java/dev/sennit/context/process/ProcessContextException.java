/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

/** The process record could not be published or changed; what was published before still stands. */
public final class ProcessContextException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProcessContextException(String message) {
    super(message);
  }

  ProcessContextException(String message, Throwable cause) {
    super(message, cause);
  }
}
