/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.testing.ChildProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code sennit demo-context} in a JVM of its own, which has published when the test sees it. */
record Demo(ChildProcess process, String announcement) implements AutoCloseable {
  static Demo start(String... options) {
    return start(Map.of(), options);
  }

  static Demo start(Map<String, String> environment, String... options) {
    List<String> arguments = new ArrayList<>(List.of("demo-context"));
    arguments.addAll(List.of(options));
    // A JVM that is started with SIGINT ignored, as in the background of a script, ignores it.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(
        ChildProcess.javaCommand(List.of(), Main.class, arguments.toArray(String[]::new)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("OTEL_SERVICE_NAME");
    builder.environment().remove("OTEL_RESOURCE_ATTRIBUTES");
    builder.environment().putAll(environment);
    ChildProcess process = ChildProcess.start(builder);
    return new Demo(process, process.readLine());
  }

  String pid() {
    return Integer.toString(process.pid());
  }

  /** Kills it. */
  void end() {
    process.close();
  }

  @Override
  public void close() {
    end();
  }
}
