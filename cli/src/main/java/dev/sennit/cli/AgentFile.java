/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** The agent's file, which this command hands to other JVMs. */
final class AgentFile {
  /** Where the launcher says that it is. */
  private static final String PROPERTY = "sennit.agent";

  private AgentFile() {}

  static Path find() {
    Path file = Path.of(System.getProperty(PROPERTY, "sennit-agent.jar")).toAbsolutePath();
    if (!Files.isRegularFile(file)) {
      throw CommandFailure.wrongInput(
          "the agent is not at " + file + "; -D" + PROPERTY + "=FILE says where it is");
    }
    return file;
  }
}
