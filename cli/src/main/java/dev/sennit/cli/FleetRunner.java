/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.metrics.FleetEndpoint;
import dev.sennit.fleet.Fleet;
import dev.sennit.fleet.FleetOptions;
import dev.sennit.fleet.FleetSettings;
import dev.sennit.fleet.KafkaSettings;
import dev.sennit.fleet.trial.FleetScore;
import dev.sennit.fleet.trial.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;

/** Runs an instance of the fleet's stitcher as {@link FleetCommand} was told, or a trial. */
final class FleetRunner {
  private static final Pattern ADDRESS = Pattern.compile(".+:\\d{1,5}");
  private static final Pattern ADDRESSES =
      Pattern.compile("[^,\\s]+:\\d{1,5}(,[^,\\s]+:\\d{1,5})*");
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private FleetRunner() {}

  static int run(FleetCommand command) {
    String bootstrap = command.bootstrap;
    if (bootstrap == null) {
      throw CommandFailure.wrongInput("--bootstrap is missing; --try does without");
    }
    if (!ADDRESSES.matcher(bootstrap).matches()) {
      throw CommandFailure.wrongInput("--bootstrap is '" + bootstrap + "', not HOST:PORT");
    }
    if (!ADDRESS.matcher(command.listen).matches()) {
      throw CommandFailure.wrongInput("--listen is '" + command.listen + "', not HOST:PORT");
    }
    try {
      FleetOptions options =
          new FleetOptions(
              bootstrap, command.stateDir, command.standby, command.threads, kafka(command));
      // What is wrong with the other options is said before any broker is asked.
      settings(command, 1);
      Integer given = command.partitions;
      int partitions = given == null ? Fleet.partitions(options, command.in) : given;
      return run(command, settings(command, partitions), options);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput("--" + e.getMessage());
    } catch (IOException | KafkaException e) {
      throw CommandFailure.wrongInput("fleet: " + e.getMessage());
    }
  }

  private static int run(FleetCommand command, FleetSettings settings, FleetOptions options)
      throws IOException {
    PrintWriter err = Commands.err(command.spec);
    try (Interruption interruption = Interruption.listen();
        Fleet fleet = Fleet.start(settings, options, line -> say(err, line));
        FleetEndpoint endpoint = FleetEndpoint.open(command.listen, fleet)) {
      say(
          err,
          "from "
              + settings.in()
              + " to "
              + settings.out()
              + " over "
              + settings.partitions()
              + " partitions; metrics at "
              + endpoint.url());
      while (!interruption.comesWithin(BETWEEN_LOOKS)) {
        if (!fleet.isAlive()) {
          throw CommandFailure.notSo("fleet: it is " + fleet.state() + " and cannot go on");
        }
      }
      return 0;
    }
  }

  private static void say(PrintWriter err, String line) {
    err.println("sennit: " + Printable.of(line));
    err.flush();
  }

  private static FleetSettings settings(FleetCommand command, int partitions) {
    return new FleetSettings(
        command.applicationId,
        command.in,
        command.out,
        command.deadLetter,
        partitions,
        command.window,
        command.grace,
        command.retention);
  }

  private static Properties kafka(FleetCommand command) {
    Properties properties = new Properties();
    Path file = command.kafkaProperties;
    try {
      if (file != null) {
        properties.putAll(KafkaSettings.read(file));
      }
      properties.putAll(KafkaSettings.of(System.getenv()));
      return properties;
    } catch (IOException e) {
      throw CommandFailure.wrongInput("--kafka-properties: cannot read " + file);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    }
  }

  /** The launcher says where the broker is. */
  static int runTrial(FleetCommand command) {
    String broker = System.getProperty("sennit.fleet.broker");
    if (broker == null) {
      throw CommandFailure.wrongInput("--try needs a broker; start it by ./sennit fleet --try");
    }
    PrintWriter out = Commands.out(command.spec);
    PrintWriter err = Commands.err(command.spec);
    try {
      String classPath = System.getProperty("java.class.path") + ":" + broker;
      FleetScore.Result result =
          Trial.run(classPath, command.spans, command.grace, line -> say(err, line));
      out.printf("spans sent            %,d%n", result.sent());
      out.printf("came out              %,d%n", result.received());
      out.printf("twice                 %,d%n", result.duplicates());
      out.printf("joined to a call      %,d%n", result.joined());
      out.printf("  rightly             %,d (%.2f %%)%n", result.right(), 100 * result.precision());
      out.printf("both sides, same ends %,d%n", result.possible());
      out.printf("  joined              %,d (%.2f %%)%n", result.found(), 100 * result.recall());
      out.printf("in another trace than their parent %,d%n", result.torn());
      out.flush();
      boolean whole = result.lost() == 0 && result.duplicates() == 0 && result.torn() == 0;
      return whole ? 0 : CommandFailure.NOT_SO;
    } catch (IOException e) {
      throw CommandFailure.notSo("fleet: " + e.getMessage());
    }
  }
}
