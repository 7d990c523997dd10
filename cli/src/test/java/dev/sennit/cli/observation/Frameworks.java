/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The applications of frameworks, each in a JVM of its own with the agent. */
final class Frameworks {
  private static final Path SERVICES =
      Path.of("..", "testing-services", "target").toAbsolutePath().normalize();

  private Frameworks() {}

  /**
   * How to start one.
   *
   * @param options more for its JVM
   * @param service its class
   * @param backend the address of the service that it asks
   * @param way the second of its arguments
   */
  static List<String> command(
      ObservedPrograms programs,
      List<String> options,
      String service,
      String backend,
      @Nullable String way) {
    Path inbound = programs.observation().inboundSocket().orElseThrow();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(
        "-javaagent:%s=ctxstorage=otel,inbound=%s".formatted(FollowedRequests.AGENT, inbound));
    command.addAll(options);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            SERVICES.resolve("classes") + File.pathSeparator + SERVICES.resolve("lib") + "/*",
            "dev.sennit.services." + service,
            backend,
            way == null ? "" : way));
    return command;
  }
}
