/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** OpenTelemetry's conformance checker for profiles. */
final class Profcheck {
  private final List<String> command = new ArrayList<>();
  private final Path file;

  Profcheck(Path tools, Path folder) {
    String program = tools.resolve("profcheck").toString();
    command.addAll(List.of(program, "-check-dupes=true", "-check-sample-shapes=true"));
    try (ChildProcess help = ChildProcess.start(List.of(program, "-help"))) {
      help.waitFor();
      // Versions since the summer of 2026 have it.
      if (help.errors().contains("-check-orphans")) {
        command.add("-check-orphans=true");
      }
    }
    file = folder.resolve("profcheck.otlp");
    command.add(file.toString());
  }

  /** What it has to say of a request, nothing if it accepts it. */
  List<String> findings(byte[] request) throws IOException {
    Files.write(file, request);
    try (ChildProcess check = ChildProcess.start(command)) {
      List<String> lines = check.readAll();
      int status = check.waitFor();
      boolean accepted = status == 0 && lines.equals(List.of(file + ": conformance checks passed"));
      if (!check.errors().isEmpty()) {
        lines.add(check.errors());
      }
      return accepted ? List.of() : lines;
    }
  }
}
