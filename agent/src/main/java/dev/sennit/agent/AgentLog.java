/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.context.ContextLog;

/**
 * What the agent has to say to people: few lines, to where {@code sennit.log} or {@code SENNIT_LOG}
 * says. It never throws and touches neither the application's output nor its logging.
 */
public final class AgentLog {
  private AgentLog() {}

  /** Logs one line. */
  public static void info(String message) {
    ContextLog.warn(message);
  }

  /** Logs that something went wrong, by its kind and message alone. */
  public static void warn(String message, Throwable cause) {
    ContextLog.warn(message + ": " + cause);
  }

  /**
   * Logs what may happen at any time and mends itself, such as a collector that is away: only to a
   * file, for an application's standard error is not the place for it.
   */
  public static void detail(String message) {
    if (!ContextLog.isOnStandardError()) {
      ContextLog.warn(message);
    }
  }

  /** Logs that something is not as it was asked for. */
  public static void warn(String message) {
    ContextLog.warn(message);
  }
}
