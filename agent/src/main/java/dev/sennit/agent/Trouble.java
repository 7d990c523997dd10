/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

/** Something that fails now and then: people hear when it begins to and when it is over. */
final class Trouble {
  private boolean lasting;

  /** It has failed; of a row of failures only the first is told. */
  void begin(String message, Exception cause) {
    if (!lasting) {
      lasting = true;
      AgentLog.warn(message, cause);
    }
  }

  /** It has worked, which is told if it had failed. */
  void end(String message) {
    if (lasting) {
      lasting = false;
      AgentLog.info(message);
    }
  }
}
