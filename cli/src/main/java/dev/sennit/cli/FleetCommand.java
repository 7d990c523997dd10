/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sennit fleet}: joins the spans of many hosts on their way through Kafka. What it runs is
 * on a class path of its own, which other commands do without; so it is named in {@link
 * FleetRunner} alone.
 */
@Command(
    name = "fleet",
    description = {
      "Reads the spans of many hosts from a topic in OTLP, as a Collector's Kafka exporter writes"
          + " them, joins SERVER spans that came without ids to the CLIENT spans that they answer,"
          + " and writes all of them to another topic. Start it as often as there is work for;"
          + " SIGTERM or SIGINT ends it.",
      "",
      "Settings of Kafka itself, such as ssl.truststore.location, come from --kafka-properties and"
          + " from the environment, where this one is SENNIT_KAFKA_SSL_TRUSTSTORE_LOCATION."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sennit fleet --try",
      "  sennit fleet --bootstrap kafka:9092 --in otlp_spans --out otlp_spans_stitched",
      "  curl http://127.0.0.1:9465/health/ready"
    })
final class FleetCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "Brokers to ask for the others, with commas between.")
  @Nullable String bootstrap;

  @Option(names = "--in", paramLabel = "TOPIC", description = "Default: ${DEFAULT-VALUE}.")
  String in = "otlp_spans";

  @Option(names = "--out", paramLabel = "TOPIC", description = "Default: ${DEFAULT-VALUE}.")
  String out = "otlp_spans_stitched";

  @Option(
      names = "--dead-letter",
      paramLabel = "TOPIC",
      description = "For what cannot be read. Default: ${DEFAULT-VALUE}.")
  String deadLetter = "otlp_spans_dead";

  @Option(
      names = "--window",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "How long after a SERVER span its CLIENT span may come. Default: 1s.")
  Duration window = Duration.ofSeconds(1);

  @Option(
      names = "--grace",
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "How much later than that spans may come. Default: 10s.")
  Duration grace = Duration.ofSeconds(10);

  @Option(
      names = "--retention",
      paramLabel = "D",
      converter = DurationConverter.class,
      description =
          "For how long it is known what traces are called, and which spans came. Default: 10m.")
  Duration retention = Duration.ofMinutes(10);

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "Over so many the work is spread; all instances say the same. Default: as many as --in"
              + " has.")
  @Nullable Integer partitions;

  @Option(
      names = "--application-id",
      paramLabel = "NAME",
      description = "Instances with the same share the work. Default: ${DEFAULT-VALUE}.")
  String applicationId = "sennit-fleet";

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "For what is remembered. Default: ${DEFAULT-VALUE}.")
  Path stateDir = Path.of("/var/lib/sennit/fleet");

  @Option(
      names = "--standby",
      paramLabel = "N",
      description = "So many other instances keep a copy of it. Default: ${DEFAULT-VALUE}.")
  int standby = 1;

  @Option(names = "--threads", paramLabel = "N", description = "Default: one for each processor.")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "For /health/live, /health/ready and /metrics. Default: ${DEFAULT-VALUE}.")
  String listen = "127.0.0.1:9465";

  @Option(
      names = "--kafka-properties",
      paramLabel = "FILE",
      description = "Settings of Kafka itself.")
  @Nullable Path kafkaProperties;

  @Option(
      names = "--try",
      description =
          "Starts a broker on this machine, feeds it spans of twenty hosts that are made up, prints"
              + " what was joined, and removes everything.")
  boolean trial;

  @Option(
      names = "--spans",
      paramLabel = "N",
      description = "How many, with --try. Default: ${DEFAULT-VALUE}.")
  int spans = 50_000;

  @Override
  public Integer call() {
    if (spans < 1) {
      throw CommandFailure.wrongInput("--spans is " + spans + ", but must be at least 1");
    }
    try {
      return trial ? FleetRunner.runTrial(this) : FleetRunner.run(this);
    } catch (NoClassDefFoundError e) {
      throw CommandFailure.wrongInput(
          "fleet: its class path is missing (" + e.getMessage() + "); start it by ./sennit fleet");
    }
  }
}
