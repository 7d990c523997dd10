/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.observation.Observation;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Exporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Sends the metrics of an observation by OTLP, every so often and once more at its end. */
public final class MetricsSender implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /** The same for all senders of this process: its counters go on when settings change. */
  private static final String INSTANCE = UUID.randomUUID().toString();

  private static final long START = now();

  private final Exporter exporter;
  private final Observation observation;
  private final Duration interval;
  private final MetricRequest request = new MetricRequest(resource(), START);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("sennit-metrics-sender").unstarted(this::run);
  private volatile boolean closed;

  private MetricsSender(Exporter exporter, Observation observation, Duration interval) {
    this.exporter = exporter;
    this.observation = observation;
    this.interval = interval;
  }

  /**
   * Begins to send.
   *
   * @param log takes lines for people
   */
  public static MetricsSender start(
      ExportSettings settings, Duration interval, Observation observation, Consumer<String> log)
      throws IOException {
    MetricsSender sender = new MetricsSender(Exporter.open(settings, log), observation, interval);
    sender.thread.start();
    return sender;
  }

  private void run() {
    long next = System.nanoTime() + interval.toNanos();
    while (!closed) {
      LockSupport.parkNanos(next - System.nanoTime());
      if (!closed && System.nanoTime() - next >= 0) {
        next += interval.toNanos();
        send();
      }
    }
  }

  private synchronized void send() {
    exporter.export(request.of(ObservationMetrics.of(observation), now()));
  }

  /** Sends the last values, and ends. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      LockSupport.unpark(thread);
      send();
      exporter.close(LAST_WORDS);
    }
  }

  private static Map<String, AttributeValue> resource() {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    attributes.put("service.name", AttributeValue.of("sennit"));
    attributes.put("service.instance.id", AttributeValue.of(INSTANCE));
    String version = MetricsSender.class.getPackage().getImplementationVersion();
    if (version != null) {
      attributes.put("service.version", AttributeValue.of(version));
    }
    try {
      attributes.put(
          "host.name",
          AttributeValue.of(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip()));
    } catch (IOException e) {
      // Then it is not said.
    }
    attributes.put("process.pid", AttributeValue.of(ProcessHandle.current().pid()));
    return attributes;
  }

  private static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * SECOND + now.getNano();
  }
}
