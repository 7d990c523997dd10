/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.time.Duration;

/**
 * What the programs are told before they are loaded.
 *
 * @param capture how many bytes of a message are handed on, at most
 * @param scan how many bytes of headers are looked at, at most 16,384
 * @param contextLifetime after what time a context is forgotten whose request is not open any more
 * @param sampleRatio the share of new traces that is sampled
 * @param inject whether traceparent is put into requests
 * @param startTraces whether a request that belongs to nothing starts a trace
 * @param logs whether what goes to logs is handed on
 * @param ringBytes the size of the ring of events, a power of two
 * @param connections how many connections are known at a time
 * @param threads how many threads with an open request are known at a time
 */
public record TracerSettings(
    int capture,
    int scan,
    Duration contextLifetime,
    double sampleRatio,
    boolean inject,
    boolean startTraces,
    boolean logs,
    int ringBytes,
    int connections,
    int threads) {
  /** The most that the programs can look at. */
  public static final int LARGEST_SCAN = 16_384;

  public TracerSettings {
    if (capture < 0 || capture > LARGEST_SCAN) {
      throw new IllegalArgumentException("capture " + capture + ": 0 to " + LARGEST_SCAN);
    }
    if (scan < 256 || scan > LARGEST_SCAN) {
      throw new IllegalArgumentException("scan " + scan + ": 256 to " + LARGEST_SCAN);
    }
    if (!(sampleRatio >= 0 && sampleRatio <= 1)) {
      throw new IllegalArgumentException("sample ratio " + sampleRatio + ": 0 to 1");
    }
    if (Integer.bitCount(ringBytes) != 1 || ringBytes < 4096) {
      throw new IllegalArgumentException(
          "ring of " + ringBytes + " bytes: a power of two from 4096");
    }
    if (connections < 1 || threads < 1) {
      throw new IllegalArgumentException("maps need room: " + connections + ", " + threads);
    }
  }

  public static TracerSettings defaults() {
    return new TracerSettings(
        4096, LARGEST_SCAN, Duration.ofSeconds(30), 1, true, false, true, 8 << 20, 16_384, 8192);
  }

  public TracerSettings withInject(boolean inject) {
    return new TracerSettings(
        capture,
        scan,
        contextLifetime,
        sampleRatio,
        inject,
        startTraces,
        logs,
        ringBytes,
        connections,
        threads);
  }

  public TracerSettings withStartTraces(boolean startTraces) {
    return new TracerSettings(
        capture,
        scan,
        contextLifetime,
        sampleRatio,
        inject,
        startTraces,
        logs,
        ringBytes,
        connections,
        threads);
  }

  public TracerSettings withRingBytes(int ringBytes) {
    return new TracerSettings(
        capture,
        scan,
        contextLifetime,
        sampleRatio,
        inject,
        startTraces,
        logs,
        ringBytes,
        connections,
        threads);
  }

  public TracerSettings withCapture(int capture) {
    return new TracerSettings(
        capture,
        scan,
        contextLifetime,
        sampleRatio,
        inject,
        startTraces,
        logs,
        ringBytes,
        connections,
        threads);
  }
}
