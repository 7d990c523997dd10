/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.testing.ChildProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts programs with the settings and the JDK's packages that the agent would give them. */
final class SampledProgram {
  static final List<String> OPEN_PACKAGES =
      List.of(
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.perf=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");

  private SampledProgram() {}

  static ChildProcess start(Class<?> program, Map<String, String> settings, String... arguments) {
    return start(program, settings, OPEN_PACKAGES, arguments);
  }

  static ChildProcess start(
      Class<?> program, Map<String, String> settings, List<String> options, String... arguments) {
    List<String> all = new ArrayList<>(options);
    // The standard streams of a child are in ASCII otherwise, where no locale is set.
    all.add("-Dstdout.encoding=UTF-8");
    ProcessBuilder builder = new ProcessBuilder(ChildProcess.javaCommand(all, program, arguments));
    builder.environment().putAll(settings);
    builder.environment().putIfAbsent("SENNIT_OTLP_QUEUE_BOUND", "0");
    return ChildProcess.start(builder);
  }
}
