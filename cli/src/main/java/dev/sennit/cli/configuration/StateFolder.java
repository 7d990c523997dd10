/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.nio.file.Path;
import java.util.Map;

/** Where Sennit keeps what must outlive it, as the XDG base directories have it. */
public final class StateFolder {
  private StateFolder() {}

  /** A file there, for the user of this process. */
  public static Path file(String name) {
    boolean root = System.getProperty("user.name", "").equals("root");
    return of(System.getenv(), root).resolve(name);
  }

  /** The folder for an environment; a relative {@code XDG_STATE_HOME} is none, as they say. */
  static Path of(Map<String, String> environment, boolean root) {
    if (root) {
      return Path.of("/var/lib/sennit");
    }
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    return state.startsWith("/")
        ? Path.of(state, "sennit")
        : Path.of(environment.getOrDefault("HOME", "/tmp"), ".local", "state", "sennit");
  }
}
