/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** An instance in a process of its own, which a test can kill. */
final class FleetInstance {
  private FleetInstance() {}

  static ChildProcess start(String bootstrap, FleetSettings settings, Path state, int standbys) {
    return ChildProcess.start(
        ChildProcess.javaCommand(
            List.of("-Xmx1g"),
            FleetInstance.class,
            bootstrap,
            state.toString(),
            settings.application(),
            settings.in(),
            settings.out(),
            settings.deadLetter(),
            Integer.toString(settings.partitions()),
            Long.toString(settings.grace().toMillis()),
            Integer.toString(standbys)));
  }

  public static void main(String[] arguments) throws IOException {
    FleetSettings settings =
        new FleetSettings(
            arguments[2],
            arguments[3],
            arguments[4],
            arguments[5],
            Integer.parseInt(arguments[6]),
            Duration.ofSeconds(1),
            Duration.ofMillis(Long.parseLong(arguments[7])),
            Duration.ofMinutes(10));
    FleetOptions options =
        new FleetOptions(
            arguments[0],
            Path.of(arguments[1]),
            Integer.parseInt(arguments[8]),
            1,
            new Properties());
    Fleet fleet = Fleet.start(settings, options, line -> System.out.println(line));
    System.in.transferTo(OutputStream.nullOutputStream());
    fleet.close();
  }
}
