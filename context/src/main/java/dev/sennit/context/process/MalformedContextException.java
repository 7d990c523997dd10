/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

/**
 * A payload is not a {@code ProcessContext} message; says which field, where, and what it holds.
 */
public final class MalformedContextException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedContextException(String message) {
    super(message);
  }
}
