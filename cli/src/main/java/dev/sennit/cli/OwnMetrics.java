/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.Configuration;
import dev.sennit.cli.configuration.ConfigurationException;
import dev.sennit.cli.configuration.ExportSource;
import dev.sennit.cli.configuration.Keys;
import dev.sennit.cli.metrics.MetricsEndpoint;
import dev.sennit.cli.metrics.MetricsSender;
import dev.sennit.cli.observation.Observation;
import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sennit's metrics on their ways out, as the configuration has them. */
final class OwnMetrics implements AutoCloseable {
  private record Sending(ExportSettings settings, Duration interval) {}

  private final Observation observation;
  private final boolean unasked;
  private final Consumer<String> log;
  private String listening = MetricsEndpoint.OFF;
  private @Nullable MetricsEndpoint endpoint;
  private Optional<Sending> sending = Optional.empty();
  private @Nullable MetricsSender sender;

  /**
   * @param unasked whether they can be read though the configuration says nothing about it
   */
  OwnMetrics(Observation observation, boolean unasked, Consumer<String> log) {
    this.observation = observation;
    this.unasked = unasked;
    this.log = log;
  }

  /** Goes by a configuration. If that is not possible, all stays as it was. */
  void change(Configuration configuration) throws ConfigurationException, IOException {
    Optional<Sending> wanted = sending(configuration);
    listen(configuration);
    if (!wanted.equals(sending)) {
      MetricsSender old = sender;
      sender =
          wanted.isEmpty()
              ? null
              : MetricsSender.start(wanted.get().settings, wanted.get().interval, observation, log);
      sending = wanted;
      if (old != null) {
        old.close();
      }
    }
  }

  private void listen(Configuration configuration) throws ConfigurationException {
    String address =
        unasked || configuration.isSet(Keys.METRICS_LISTEN)
            ? configuration.get(Keys.METRICS_LISTEN)
            : MetricsEndpoint.OFF;
    if (address.equals(listening)) {
      return;
    }
    MetricsEndpoint fresh = null;
    if (!address.equals(MetricsEndpoint.OFF)) {
      try {
        fresh = MetricsEndpoint.open(address, observation);
      } catch (IOException e) {
        throw new ConfigurationException(
            configuration.place(Keys.METRICS_LISTEN), String.valueOf(e.getMessage()));
      }
    }
    if (endpoint != null) {
      endpoint.close();
    }
    endpoint = fresh;
    listening = address;
  }

  private Optional<Sending> sending(Configuration configuration) throws ConfigurationException {
    if (!configuration.get(Keys.METRICS_OTLP)) {
      return Optional.empty();
    }
    Optional<ExportSettings> settings =
        ExportSource.read(configuration, Signal.METRICS, System::getenv, log);
    if (settings.isEmpty()) {
      throw new ConfigurationException(
          configuration.place(Keys.METRICS_OTLP),
          "needs a collector; name it with " + Keys.EXPORT_ENDPOINT);
    }
    return Optional.of(new Sending(settings.get(), configuration.get(Keys.METRICS_INTERVAL)));
  }

  /** Where they can be read, if anywhere. */
  Optional<String> url() {
    return Optional.ofNullable(endpoint).map(MetricsEndpoint::url);
  }

  /** To be called when the observation has ended, so that the last values are sent. */
  @Override
  public void close() {
    if (sender != null) {
      sender.close();
    }
    if (endpoint != null) {
      endpoint.close();
    }
  }
}
