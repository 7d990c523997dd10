/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.metrics.HttpPages.Page;
import dev.sennit.fleet.Fleet;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What an orchestrator asks an instance of the fleet's stitcher: how it is, and its metrics. */
public final class FleetEndpoint implements AutoCloseable {
  private static final String METRICS = "/metrics";

  private final HttpPages pages;

  private FleetEndpoint(HttpPages pages) {
    this.pages = pages;
  }

  /**
   * Listens at an address such as {@code 127.0.0.1:9465}; port 0 is any that is free.
   *
   * @throws IOException with one line that names the address, if it cannot be listened at
   */
  public static FleetEndpoint open(String address, Fleet fleet) throws IOException {
    return new FleetEndpoint(
        HttpPages.open(
            address,
            Map.of(
                METRICS,
                () -> new Page(200, PrometheusText.CONTENT_TYPE, metrics(fleet)),
                "/health/live",
                () -> health(fleet.isAlive(), fleet),
                "/health/ready",
                () -> health(fleet.isReady(), fleet))));
  }

  /** The address of the metrics. */
  public String url() {
    return pages.url(METRICS);
  }

  private static Page health(boolean good, Fleet fleet) {
    return Page.plain(good ? 200 : 503, fleet.state() + "\n");
  }

  private static String metrics(Fleet fleet) {
    return PrometheusText.of(
        List.of(
            Metric.counters(
                "sennit.fleet.events",
                "{event}",
                "What came, what went out, and what became of it.",
                "kind",
                fleet.counts()),
            Metric.gauge(
                "sennit.fleet.ready",
                "1",
                "Whether this instance has its share of the work.",
                fleet.isReady() ? 1 : 0),
            Metric.gauge(
                "sennit.fleet.lag",
                "{record}",
                "Records that wait in the partition with the most of them.",
                fleet.lag()),
            Metric.gauge(
                "sennit.fleet.state.size",
                "By",
                "What the stores take, in files and in memory.",
                fleet.stateBytes())));
  }

  @Override
  public void close() {
    pages.close();
  }
}
