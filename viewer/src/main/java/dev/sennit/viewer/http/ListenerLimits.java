/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import java.time.Duration;

/**
 * What strangers may cost a listener.
 *
 * @param connections how many there may be; others wait to be accepted
 * @param bodyBytes how much one request may hold, as it comes over the wire
 * @param idle how long a connection may be without a whole request
 * @param grace how long requests may still run when the listener closes
 */
public record ListenerLimits(int connections, long bodyBytes, Duration idle, Duration grace) {
  public ListenerLimits {
    if (connections < 1 || bodyBytes < 1) {
      throw new IllegalArgumentException(
          "connections " + connections + " and bytes " + bodyBytes + " must be at least 1");
    }
    if (idle.compareTo(Duration.ofSeconds(1)) < 0 || grace.isNegative()) {
      throw new IllegalArgumentException(
          "idle time " + idle + " is less than 1 s, or grace " + grace + " negative");
    }
  }
}
