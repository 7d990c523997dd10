/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import dev.sennit.agent.ProfilerOptions;
import java.nio.file.Path;

/**
 * The engine that runs, and why it is this one.
 *
 * @param why for people
 */
public record EngineChoice(Engine engine, String why) {
  /**
   * Starts the engine that the options ask for. Without a wish it is async-profiler, and JDK Flight
   * Recorder where that cannot run.
   *
   * @param folder for the engine's own files
   * @throws EngineException when none runs, or not the one that was asked for
   */
  public static EngineChoice start(ProfilerOptions options, Path folder) throws EngineException {
    return switch (options.engine()) {
      case ASYNC -> started(new AsyncProfilerEngine(folder), options, "asked for");
      case JFR -> started(new FlightRecorderEngine(folder), options, "asked for");
      case AUTO -> {
        String problem;
        try {
          yield started(new AsyncProfilerEngine(folder), options, "the first choice");
        } catch (EngineException e) {
          problem = String.valueOf(e.getMessage());
        }
        String why = "async-profiler does not run here: " + problem;
        try {
          yield started(new FlightRecorderEngine(folder), options, why);
        } catch (EngineException e) {
          throw new EngineException(e.getMessage() + " (" + why + ")", e);
        }
      }
    };
  }

  private static EngineChoice started(Engine engine, ProfilerOptions options, String why)
      throws EngineException {
    engine.start(options);
    return new EngineChoice(engine, why);
  }
}
