/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Collections;

/**
 * What is to be said before, or without, the rest of the agent: to standard error, nowhere, or into
 * a file, as {@code sennit.log} or {@code SENNIT_LOG} has it.
 */
final class BootLog {
  private static final String PROPERTY = "sennit.log";
  private static final String STDERR = "stderr";
  private static final String OFF = "off";

  private BootLog() {}

  static void line(String message) {
    try {
      String target = target();
      if (target.equals(OFF)) {
        return;
      }
      String line = "sennit: " + message.replaceAll("\\R", " ");
      if (target.equals(STDERR) || !written(Paths.get(target), line)) {
        System.err.println(line);
      }
    } catch (RuntimeException e) {
      // There is nobody left to tell.
    }
  }

  private static String target() {
    String property = System.getProperty(PROPERTY, "");
    if (!property.isBlank()) {
      return property;
    }
    String variable = System.getenv("SENNIT_LOG");
    return variable == null || variable.isBlank() ? STDERR : variable;
  }

  private static boolean written(Path file, String line) {
    try {
      Files.write(
          file,
          Collections.singletonList(line),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
