/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Gives the JVMs of a command an agent. */
final class JavaCommands {
  private static final String VARIABLE = "JAVA_TOOL_OPTIONS";
  private static final String NO_QUEUE = "-Dsennit.otlp.queue.bound=0";

  private JavaCommands() {}

  /** The command, with the agent if it is a {@code java} command. */
  static List<String> withAgent(List<String> command, AgentUse use) {
    if (!isJava(command)) {
      return command;
    }
    List<String> changed = new ArrayList<>(command);
    changed.addAll(1, options(use));
    return changed;
  }

  /**
   * For any other command: its JVMs read the option from the environment, and say so on standard
   * error.
   */
  static void addAgent(List<String> command, AgentUse use, Map<String, String> environment) {
    if (!isJava(command)) {
      environment.merge(
          VARIABLE,
          options(use).stream().map(JavaCommands::quoted).collect(Collectors.joining(" ")),
          (before, added) -> before + " " + added);
    }
  }

  private static boolean isJava(List<String> command) {
    return Path.of(command.getFirst()).endsWith("java");
  }

  /** The JVM divides the variable at blanks that are in no quotes. */
  private static String quoted(String option) {
    return option.indexOf(' ') < 0 ? option : '"' + option + '"';
  }

  /**
   * The options of a JVM that has the agent. Nobody is there later to take what could not be sent,
   * and what waits for a collector from other times is not to be seen here.
   */
  static List<String> options(AgentUse use) {
    String agent = "-javaagent:" + use.agent() + "=" + use.options();
    return use.profiling().isPresent() ? List.of(NO_QUEUE, agent) : List.of(agent);
  }
}
