/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** JVMs with the agent as it is shipped, and programs for them that are compiled on the spot. */
public final class AgentJvm {
  /**
   * The shipped file, which the build makes before it runs tests, of this module or a later one.
   */
  public static final Path JAR =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  private AgentJvm() {}

  /** What a JVM printed, and how it ended. */
  public record Outcome(List<String> out, String err, int status) {}

  /** The option that brings the agent into a JVM. */
  public static String agent(String options) {
    return "-javaagent:" + JAR + (options.isEmpty() ? "" : "=" + options);
  }

  /** Runs {@code java} with these arguments to its end. */
  public static Outcome run(List<String> arguments) {
    return run(Map.of(), arguments);
  }

  /** The same with variables in its environment. */
  public static Outcome run(Map<String, String> environment, List<String> arguments) {
    try (ChildProcess jvm = start(environment, arguments)) {
      List<String> out = jvm.readAll();
      int status = jvm.waitFor();
      return new Outcome(out, jvm.errors(), status);
    }
  }

  public static ChildProcess start(List<String> arguments) {
    return start(Map.of(), arguments);
  }

  /** The same with variables in its environment. */
  public static ChildProcess start(Map<String, String> environment, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return ChildProcess.start(builder);
  }

  /**
   * Compiles source files into {@code folder}.
   *
   * @param sources the name of each file in turn with its text
   */
  static Path compile(Path folder, String... sources) {
    List<String> arguments = new ArrayList<>(List.of("-d", folder.toString()));
    try {
      for (int i = 0; i < sources.length; i += 2) {
        Path file = folder.resolve("src").resolve(sources[i]);
        Files.createDirectories(file.getParent());
        Files.writeString(file, sources[i + 1]);
        arguments.add(file.toString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int status =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new AssertionError("javac ended with status " + status);
    }
    return folder;
  }
}
