/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

/** Why an engine does not run here. */
public final class EngineException extends Exception {
  private static final long serialVersionUID = 1;

  EngineException(String message) {
    super(message);
  }

  EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
