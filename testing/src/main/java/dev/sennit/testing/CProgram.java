/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A C source among the test resources, compiled when a test needs it: code that is not ours in the
 * other process.
 */
public final class CProgram {
  private CProgram() {}

  /**
   * Compiles {@code resource}, found beside {@code owner}, with gcc.
   *
   * @param flags after the source, so that libraries resolve
   * @return the executable or library, in {@code folder}
   */
  public static Path compile(Class<?> owner, String resource, Path folder, String... flags) {
    Path source = folder.resolve(resource);
    Path output = folder.resolve(resource.replaceFirst("\\.c$", ""));
    try (var in = owner.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(owner.getName() + " has no resource " + resource);
      }
      Files.write(source, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command =
        new ArrayList<>(
            List.of("gcc", "-O2", "-Wall", "-Werror", "-o", output.toString(), source.toString()));
    command.addAll(List.of(flags));
    try (ChildProcess gcc = ChildProcess.start(command)) {
      int status = gcc.waitFor();
      if (status != 0) {
        throw new AssertionError("gcc " + resource + ": status " + status + "\n" + gcc.errors());
      }
    }
    return output;
  }
}
