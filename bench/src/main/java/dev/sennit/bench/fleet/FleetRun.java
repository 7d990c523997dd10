/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fleet;

import com.sun.management.OperatingSystemMXBean;
import dev.sennit.fleet.Fleet;
import dev.sennit.fleet.FleetCount;
import dev.sennit.fleet.FleetOptions;
import dev.sennit.fleet.FleetSettings;
import dev.sennit.fleet.trial.GeneratedFleet;
import dev.sennit.fleet.trial.TrialBroker;
import dev.sennit.fleet.trial.TrialFeed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * One instance that works off what is in its topic already, as fast as it can. Time is that of the
 * records, so that spans wait as long as they would if they came now.
 *
 * @param spansPerSecond that went out, by the clock, while others came in
 * @param microseconds of processor time for a span, in the instance
 * @param brokerMicroseconds likewise, in the broker
 * @param stateBytesPerSpan what the files of the stores take for each span that came
 */
record FleetRun(
    int partitions,
    double spansPerSecond,
    double microseconds,
    double brokerMicroseconds,
    double stateBytesPerSpan) {

  private static final int HOSTS = 20;

  /** Each makes some eight spans. */
  private static final int REQUESTS_PER_SECOND = 6_000;

  private static final double SPANS_PER_REQUEST = 8;

  /** Before that the instance starts and its code is compiled. */
  private static final double FROM = 0.3;

  /**
   * Behind that the last spans may have been read, and others wait until the silence has lasted:
   * those of window, grace and what partitions are behind each other, of 42 s in all.
   */
  private static final double UNTIL = 0.6;

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  static FleetRun measure(int partitions, int threads, int spans, Duration grace)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("sennit-fleet-bench-");
    try (TrialBroker broker = TrialBroker.start(folder, System.getProperty("java.class.path"))) {
      FleetSettings settings =
          new FleetSettings(
              "bench",
              "in",
              "out",
              "dead",
              partitions,
              Duration.ofSeconds(1),
              grace,
              Duration.ofMinutes(10));
      broker.createTopic(settings.in(), partitions, Map.of());
      int sent = fill(broker, settings, spans);
      FleetOptions options =
          new FleetOptions(
              broker.bootstrap(), folder.resolve("state"), 0, threads, new Properties());
      try (Fleet fleet = Fleet.start(settings, options, line -> {})) {
        return measure(partitions, fleet, broker, sent, folder.resolve("state"));
      }
    }
  }

  /** Answers how many spans there are; what else is known of them takes memory, and is let go. */
  private static int fill(TrialBroker broker, FleetSettings settings, int spans) {
    long seconds = Math.round(spans / (REQUESTS_PER_SECOND * SPANS_PER_REQUEST));
    GeneratedFleet.Shape shape =
        new GeneratedFleet.Shape(
            settings.partitions(),
            HOSTS,
            REQUESTS_PER_SECOND,
            spans,
            Instant.now().minusSeconds(3 * seconds + 600));
    try (TrialFeed feed = new TrialFeed(broker.bootstrap(), settings.in())) {
      return new GeneratedFleet(shape, feed::send).run().spans();
    }
  }

  private static FleetRun measure(
      int partitions, Fleet fleet, TrialBroker broker, int spans, Path state)
      throws IOException, InterruptedException {
    await(fleet, (long) (FROM * spans));
    long from = System.nanoTime();
    Duration own = ownTime();
    Duration brokers = broker.processorTime();
    long first = finished(fleet);
    await(fleet, (long) (UNTIL * spans));
    double count = finished(fleet) - first;
    double seconds = (System.nanoTime() - from) / 1e9;
    double ownMicroseconds = ownTime().minus(own).toNanos() / 1e3;
    double brokerMicroseconds = broker.processorTime().minus(brokers).toNanos() / 1e3;
    await(fleet, spans);
    return new FleetRun(
        partitions,
        count / seconds,
        ownMicroseconds / count,
        brokerMicroseconds / count,
        (double) size(state) / spans);
  }

  private static void await(Fleet fleet, long spans) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (finished(fleet) < spans) {
      if (System.nanoTime() > end) {
        throw new IOException(
            finished(fleet) + " spans went out within " + PATIENCE + ", not " + spans);
      }
      Thread.sleep(20);
    }
  }

  private static long finished(Fleet fleet) {
    return fleet.counts().getOrDefault(FleetCount.FINISHED, 0L);
  }

  private static Duration ownTime() {
    return Duration.ofNanos(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(FleetRun::sizeOf).sum();
    }
  }

  private static long sizeOf(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      // A store removes its files as it likes.
      return 0;
    }
  }
}
