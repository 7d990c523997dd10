/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a command is about: the one that is named, or the one where stores are kept. */
final class StoreOption {
  private static final String NAME = "sennit.duckdb";

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The store. By default SENNIT_STORE, else sennit/sennit.duckdb in XDG_STATE_HOME or"
            + " ~/.local/state, as root /var/lib/sennit/sennit.duckdb."
      })
  private @Nullable Path file;

  Path path() {
    return file != null ? file : byDefault();
  }

  /** The store of this user. */
  static Path byDefault() {
    return byDefault(System.getenv(), isRoot());
  }

  private static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  static Path byDefault(Map<String, String> environment, boolean root) {
    String named = environment.getOrDefault("SENNIT_STORE", "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    if (root) {
      return Path.of("/var/lib/sennit", NAME);
    }
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    // A relative path there is to be ignored, as the specification of these folders says.
    Path states =
        state.startsWith("/")
            ? Path.of(state)
            : Path.of(environment.getOrDefault("HOME", "."), ".local", "state");
    return states.resolve("sennit").resolve(NAME);
  }
}
