/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import dev.sennit.agent.ProfilerOptions;
import dev.sennit.agent.association.Association;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes samples into a recording, which is fetched piece by piece. One engine serves one session,
 * and one thread at a time.
 */
public interface Engine {
  /** Its name, for people. */
  String name();

  /**
   * Begins to record.
   *
   * @throws EngineException when it cannot, saying why
   */
  void start(ProfilerOptions options) throws EngineException;

  /** The options for events that were asked for and that it does not sample, for people. */
  default List<String> missing() {
    return List.of();
  }

  /** How samples of this engine are tied to spans; there is one once it has been started. */
  Association association();

  /**
   * Fetches what was recorded since the last time, as a complete recording, and goes on.
   *
   * @param target a file that this replaces
   */
  void dump(Path target) throws IOException;

  /** Ends, and fetches the rest. */
  void stop(Path target) throws IOException;

  /** The same while the JVM ends, when parts of it may have ended already. */
  default void finish(Path target) throws IOException {
    stop(target);
  }

  /** What it does, for people. */
  String status();
}
