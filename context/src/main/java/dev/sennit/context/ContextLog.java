/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The few lines that this module has to say to people. The system property {@code sennit.log}, and
 * where there is none the variable {@code SENNIT_LOG}, decides where they go: {@code stderr}, which
 * is the default, {@code off}, or the path of a file to append to.
 *
 * <p>Loading {@code java.util.logging} or {@code System.Logger} before the application has
 * configured them would change how it logs; so this is neither.
 */
public final class ContextLog {
  private static final String PROPERTY = "sennit.log";
  private static final String VARIABLE = "SENNIT_LOG";
  private static final String STDERR = "stderr";
  private static final String OFF = "off";

  private ContextLog() {}

  /** Whether lines go where the application's own go, and not to a file or nowhere. */
  public static boolean isOnStandardError() {
    return target().equals(STDERR);
  }

  private static String target() {
    String property = System.getProperty(PROPERTY, "");
    if (!property.isBlank()) {
      return property;
    }
    @Nullable String variable = System.getenv(VARIABLE);
    return variable == null || variable.isBlank() ? STDERR : variable;
  }

  /** Logs one line. Never throws: a file that cannot be written means standard error. */
  public static void warn(String message) {
    String target = target();
    if (target.equals(OFF)) {
      return;
    }
    String line = "sennit: " + message.replaceAll("\\R", " ");
    if (!target.equals(STDERR)) {
      try {
        Files.writeString(
            Path.of(target), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return;
      } catch (IOException | InvalidPathException e) {
        line += " (" + PROPERTY + "=" + target + " cannot be written: " + e + ")";
      }
    }
    try {
      System.err.println(line);
    } catch (RuntimeException e) {
      // An application may have put a stream of its own there; its failure is not ours to spread.
    }
  }
}
