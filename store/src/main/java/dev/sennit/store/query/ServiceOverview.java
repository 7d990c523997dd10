/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;

/**
 * A service in a range of time. A request is a span that came from outside of the service: of kind
 * SERVER or CONSUMER, or without a parent.
 *
 * @param spans all spans of the service
 * @param errors requests that failed
 * @param buckets parts of the range in which there were requests, in order
 */
public record ServiceOverview(
    String service, long spans, long requests, long errors, Latency latency, List<Bucket> buckets) {
  public ServiceOverview {
    buckets = List.copyOf(buckets);
  }

  /**
   * A part of the range.
   *
   * @param start nanoseconds since 1970
   */
  public record Bucket(long start, long requests, long errors, Latency latency) {}
}
