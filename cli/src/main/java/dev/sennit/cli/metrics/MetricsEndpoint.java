/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.metrics.HttpPages.Page;
import dev.sennit.cli.observation.Observation;
import java.io.IOException;
import java.util.Map;

/** Where the metrics of an observation can be read in Prometheus' text format. */
public final class MetricsEndpoint implements AutoCloseable {
  /** The value that stands for no endpoint at all. */
  public static final String OFF = "off";

  private static final String PATH = "/metrics";

  private final HttpPages pages;

  private MetricsEndpoint(HttpPages pages) {
    this.pages = pages;
  }

  /**
   * Listens at an address such as {@code 127.0.0.1:9464}; port 0 is any that is free.
   *
   * @throws IOException with one line that names the address, if it cannot be listened at
   */
  public static MetricsEndpoint open(String address, Observation observation) throws IOException {
    return new MetricsEndpoint(
        HttpPages.open(
            address,
            Map.of(
                PATH,
                () ->
                    new Page(
                        200,
                        PrometheusText.CONTENT_TYPE,
                        PrometheusText.of(ObservationMetrics.of(observation))))));
  }

  /** The address of the page. */
  public String url() {
    return pages.url(PATH);
  }

  @Override
  public void close() {
    pages.close();
  }
}
