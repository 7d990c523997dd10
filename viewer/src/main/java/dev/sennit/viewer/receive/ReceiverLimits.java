/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.time.Duration;

/**
 * What senders may cost the receiver.
 *
 * @param requestBytes how large a request may be, compressed and after that
 * @param bytesInFlight how much all requests may hold that are being received or handed on
 * @param requestsPerSecond how many requests are looked at; as many may come at once
 * @param connections for each of the two addresses
 * @param receiving how long a request may take to arrive
 * @param idle how long a connection may be without a whole request
 */
public record ReceiverLimits(
    int requestBytes,
    long bytesInFlight,
    int requestsPerSecond,
    int connections,
    Duration receiving,
    Duration idle) {

  /** OTLP specification, 1.10: what a receiver should take, if it is not told otherwise. */
  private static final int USUAL_REQUEST = 64 << 20;

  /** Messages as objects take some five times the bytes of theirs. */
  private static final int SHARE_OF_HEAP = 8;

  public ReceiverLimits {
    // A request that is compressed is held in both forms at once.
    if (requestBytes < 1 || bytesInFlight < 2L * requestBytes) {
      throw new IllegalArgumentException(
          "bytes in flight are "
              + bytesInFlight
              + ", but must be at least twice those of a request, which are "
              + requestBytes
              + " and must be at least 1");
    }
    if (requestsPerSecond < 1) {
      throw new IllegalArgumentException(
          "requests per second are " + requestsPerSecond + ", but must be at least 1");
    }
    if (!receiving.isPositive()) {
      throw new IllegalArgumentException("the time to receive is " + receiving + ", not positive");
    }
  }

  /** Limits that fit the memory of this JVM. */
  public static ReceiverLimits usual() {
    long share = Math.max(1 << 20, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    return new ReceiverLimits(
        (int) Math.min(USUAL_REQUEST, share / 2),
        share,
        5_000,
        256,
        Duration.ofSeconds(30),
        Duration.ofSeconds(60));
  }

  public ReceiverLimits withRequestBytes(int bytes) {
    return new ReceiverLimits(
        bytes,
        Math.max(2L * bytes, bytesInFlight),
        requestsPerSecond,
        connections,
        receiving,
        idle);
  }

  public ReceiverLimits withBytesInFlight(long bytes) {
    return new ReceiverLimits(requestBytes, bytes, requestsPerSecond, connections, receiving, idle);
  }

  public ReceiverLimits withRequestsPerSecond(int requests) {
    return new ReceiverLimits(requestBytes, bytesInFlight, requests, connections, receiving, idle);
  }

  public ReceiverLimits withTimes(Duration newReceiving, Duration newIdle) {
    return new ReceiverLimits(
        requestBytes, bytesInFlight, requestsPerSecond, connections, newReceiving, newIdle);
  }
}
