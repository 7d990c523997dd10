/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.tracing.Counters;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * An instance of the fleet's stitcher: it shares the work with all others of the same application,
 * and takes over what another leaves behind.
 */
public final class Fleet implements AutoCloseable {
  /** Longer than a broker needs to answer; what is not closed then is taken up from the stores. */
  private static final Duration CLOSING = Duration.ofSeconds(20);

  private final KafkaStreams streams;
  private final Counters<FleetCount> counters;

  private Fleet(KafkaStreams streams, Counters<FleetCount> counters) {
    this.streams = streams;
    this.counters = counters;
  }

  /** How many partitions a topic has, which the work on it is best spread over. */
  public static int partitions(FleetOptions options, String topic) throws IOException {
    return FleetTopics.partitions(options, topic);
  }

  /**
   * Begins.
   *
   * @param log gets a line for each thing that happens
   * @throws IOException with one line that names what is missing
   */
  public static Fleet start(FleetSettings settings, FleetOptions options, Consumer<String> log)
      throws IOException {
    FleetTopics.prepare(options, settings);
    Counters<FleetCount> counters = new Counters<>(FleetCount.class);
    KafkaStreams streams =
        new KafkaStreams(
            new FleetTopology(settings, counters, WaitingMemory.ofThisProcess()).build(),
            properties(settings, options));
    streams.setStateListener(
        (now, before) -> {
          if (now == State.RUNNING || now == State.ERROR) {
            log.accept(now == State.RUNNING ? "running" : "failed for good");
          }
        });
    streams.setUncaughtExceptionHandler(
        failure -> {
          log.accept("a thread failed and is replaced: " + describe(failure));
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
    streams.start();
    return new Fleet(streams, counters);
  }

  private static String describe(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  private static Properties properties(FleetSettings settings, FleetOptions options) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            // Others wait for what is not committed, and a commit costs the same for little and
            // much.
            StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
            "200",
            // Letters and spans need not wait for each other.
            StreamsConfig.MAX_TASK_IDLE_MS_CONFIG,
            "-1",
            StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG,
            Integer.toString(64 << 20),
            // Records hold many spans.
            StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
            "100",
            StreamsConfig.consumerPrefix("max.poll.records"),
            "100",
            StreamsConfig.producerPrefix("compression.type"),
            "lz4",
            StreamsConfig.producerPrefix("batch.size"),
            Integer.toString(256 << 10),
            StreamsConfig.producerPrefix("linger.ms"),
            "20",
            // Shorter than the grace, so that what an instance leaves behind is not late.
            StreamsConfig.consumerPrefix("session.timeout.ms"),
            "8000",
            StreamsConfig.consumerPrefix("heartbeat.interval.ms"),
            "2000"));
    properties.putAll(options.kafka());
    properties.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG,
            settings.application(),
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
            options.bootstrap(),
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            StreamsConfig.EXACTLY_ONCE_V2,
            StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG,
            Integer.toString(options.standbys()),
            StreamsConfig.NUM_STREAM_THREADS_CONFIG,
            Integer.toString(options.threads()),
            StreamsConfig.STATE_DIR_CONFIG,
            options.stateFolder().toString(),
            StreamsConfig.consumerPrefix("auto.offset.reset"),
            "earliest"));
    return properties;
  }

  /** Whether it can go on by itself. */
  public boolean isAlive() {
    State state = streams.state();
    return state != State.ERROR && state != State.PENDING_ERROR && state != State.NOT_RUNNING;
  }

  /** Whether it has its share of the work. */
  public boolean isReady() {
    return streams.state() == State.RUNNING;
  }

  /** What it does, in a word. */
  public String state() {
    return streams.state().name().toLowerCase(Locale.ROOT);
  }

  public Map<FleetCount, Long> counts() {
    return counters.all();
  }

  /** How many records are still to be read by this instance, in the partition with the most. */
  public double lag() {
    return streams.metrics().entrySet().stream()
        .filter(entry -> entry.getKey().name().equals("records-lag-max"))
        .mapToDouble(entry -> number(entry.getValue()))
        .max()
        .orElse(0);
  }

  /** How much the files of what is remembered take, in bytes. */
  public double stateBytes() {
    double sum = 0;
    for (Map.Entry<MetricName, ? extends Metric> entry : streams.metrics().entrySet()) {
      String name = entry.getKey().name();
      if (name.equals("total-sst-files-size") || name.equals("size-all-mem-tables")) {
        sum += number(entry.getValue());
      }
    }
    return sum;
  }

  private static double number(Metric metric) {
    return metric.metricValue() instanceof Number number && Double.isFinite(number.doubleValue())
        ? number.doubleValue()
        : 0;
  }

  /** Commits what is done, and leaves the rest to others, or to the next start. */
  @Override
  public void close() {
    streams.close(CLOSING);
  }
}
