/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What standard output or standard error is: a terminal that people look at, or something else that
 * keeps what is written. Colours are for terminals alone, and not where {@code NO_COLOR} is set.
 */
record Terminal(boolean interactive, boolean colours) {
  private static final String RESET = "\u001b[0m";

  static Terminal detect() {
    return of(descriptor(1), System.getenv());
  }

  /** The same for standard error. */
  static Terminal detectErrors() {
    return of(descriptor(2), System.getenv());
  }

  static Terminal of(String output, Map<String, String> environment) {
    boolean interactive =
        output.startsWith("/dev/pts/")
            || output.startsWith("/dev/tty")
            || output.equals("/dev/console");
    boolean plain =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "dumb").equals("dumb");
    return new Terminal(interactive, interactive && !plain);
  }

  /** The JDK's console asks for a terminal at both ends, and input is often redirected. */
  private static String descriptor(int number) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  String bold(String text) {
    return colours ? "\u001b[1m" + text + RESET : text;
  }

  String green(String text) {
    return colours ? "\u001b[32m" + text + RESET : text;
  }

  String red(String text) {
    return colours ? "\u001b[31m" + text + RESET : text;
  }
}
