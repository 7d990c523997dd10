/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the agent is to do in an observed JVM: publish what its threads are doing, follow requests
 * from thread to thread, and perhaps profile.
 *
 * @param inbound the socket at which the kernel's word on requests is to be had
 */
record AgentUse(Path agent, Optional<Path> inbound, Optional<Profiling> profiling) {
  /** What is sampled as a rule: where the processor's time goes, and where the waiting is. */
  static final String USUAL_EVENTS = "cpu=10ms,wall=50ms";

  /** Short enough to look at while it happens. */
  private static final String PIECE = "5s";

  /**
   * A profile of the JVM.
   *
   * @param events as the agent's options name them
   * @param receiver where it goes
   */
  record Profiling(String events, URI receiver) {}

  /** The agent's options, for a JVM that begins with it. */
  String options() {
    return profile().map(start -> following() + "," + start).orElse(following());
  }

  /** Those of them that follow requests, which can be had whoever profiles. */
  String following() {
    return "ctxstorage=otel"
        + inbound
            .map(Path::toString)
            .filter(AgentUse::canBeAValue)
            .map(socket -> ",inbound=" + socket)
            .orElse("");
  }

  /** Those that profile, which one at a time can. */
  Optional<String> profile() {
    return profiling.map(
        profile -> "start," + profile.events + ",chunktime=" + PIECE + ",otlp=" + profile.receiver);
  }

  /** Commas divide the agent's options. */
  private static boolean canBeAValue(String text) {
    return text.indexOf(',') < 0;
  }
}
