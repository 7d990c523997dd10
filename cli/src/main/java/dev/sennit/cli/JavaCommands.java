/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives the JVMs of a command the agent that publishes what their threads are doing, and that asks
 * a socket for the memory in which they are told what they read.
 */
final class JavaCommands {
  private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  private JavaCommands() {}

  /** The command, with the agent if it is a {@code java} command. */
  static List<String> withAgent(List<String> command, Path agent, Optional<Path> inbound) {
    if (!isJava(command)) {
      return command;
    }
    List<String> changed = new ArrayList<>(command);
    changed.add(1, option(agent, inbound));
    return changed;
  }

  /**
   * For any other command: its JVMs read the option from the environment, and say so on standard
   * error.
   */
  static void addAgent(
      List<String> command, Path agent, Optional<Path> inbound, Map<String, String> environment) {
    if (!isJava(command)) {
      environment.merge(
          VARIABLE, quoted(option(agent, inbound)), (before, added) -> before + " " + added);
    }
  }

  private static boolean isJava(List<String> command) {
    return Path.of(command.getFirst()).endsWith("java");
  }

  /** The JVM divides the variable at blanks that are in no quotes. */
  private static String quoted(String option) {
    return option.indexOf(' ') < 0 ? option : '"' + option + '"';
  }

  private static String option(Path agent, Optional<Path> inbound) {
    return "-javaagent:"
        + agent
        + "=ctxstorage=otel"
        + inbound
            .map(Path::toString)
            .filter(JavaCommands::canBeAValue)
            .map(socket -> ",inbound=" + socket)
            .orElse("");
  }

  /** Commas divide the agent's options. */
  private static boolean canBeAValue(String text) {
    return text.indexOf(',') < 0;
  }
}
