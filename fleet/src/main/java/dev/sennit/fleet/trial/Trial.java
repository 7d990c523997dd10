/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import dev.sennit.fleet.Fleet;
import dev.sennit.fleet.FleetOptions;
import dev.sennit.fleet.FleetSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * The fleet's stitcher with all that belongs to it, on one machine, for a minute. Everything is in
 * the broker's folder, so that nothing is left behind, whatever ends it.
 */
public final class Trial {
  private static final int PARTITIONS = 2;
  private static final int HOSTS = 20;
  private static final int REQUESTS_PER_SECOND = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Trial() {}

  /**
   * Runs it, and says what it does.
   *
   * @param brokerClassPath has Kafka's broker
   * @param spans how many spans are generated
   * @param grace how late spans may come
   */
  public static FleetScore.Result run(
      String brokerClassPath, int spans, Duration grace, Consumer<String> log) throws IOException {
    Path folder = Files.createTempDirectory("sennit-fleet-");
    log.accept("a broker is starting in " + folder);
    FleetSettings settings =
        new FleetSettings(
            "sennit-fleet-trial",
            "otlp_spans",
            "otlp_spans_stitched",
            "otlp_spans_dead",
            PARTITIONS,
            Duration.ofSeconds(1),
            grace,
            Duration.ofMinutes(10));
    try (TrialBroker broker = TrialBroker.start(folder, brokerClassPath)) {
      broker.createTopic(settings.in(), PARTITIONS, Map.of());
      FleetOptions options =
          new FleetOptions(
              broker.bootstrap(), folder.resolve("state"), 0, PARTITIONS, new Properties());
      try (Fleet fleet = Fleet.start(settings, options, line -> log.accept("stitcher: " + line))) {
        FleetScore.Result result = observe(broker.bootstrap(), settings, spans, log);
        log.accept("counted: " + fleet.counts());
        return result;
      }
    }
  }

  private static FleetScore.Result observe(
      String bootstrap, FleetSettings settings, int spans, Consumer<String> log) {
    GeneratedFleet.Shape shape =
        new GeneratedFleet.Shape(
            System.nanoTime(),
            HOSTS,
            REQUESTS_PER_SECOND,
            spans,
            Instant.now().minusSeconds(spans / (REQUESTS_PER_SECOND * 5L) + 60));
    FleetTruth truth;
    try (TrialFeed feed = new TrialFeed(bootstrap, settings.in())) {
      truth = new GeneratedFleet(shape, feed::send).run();
    }
    log.accept(truth.spans() + " spans of " + HOSTS + " hosts are in " + settings.in());
    FleetScore score = new FleetScore();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (TrialDrain drain = new TrialDrain(bootstrap, settings.out())) {
      while (score.received() < truth.spans() && System.nanoTime() < end) {
        drain.into(score);
      }
    }
    return score.result(truth);
  }
}
