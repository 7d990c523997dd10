/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.time.Duration;
import java.util.List;

/**
 * What the programs are told before they are loaded.
 *
 * @param capture how many bytes of a message are handed on, at most
 * @param scan how many bytes of headers are looked at, at most 16,384
 * @param contextLifetime after what time a context is forgotten whose request is not open any more
 * @param sampleRatio the share of new traces that is sampled
 * @param inject whether traceparent is put into requests
 * @param startTraces whether a request that belongs to nothing starts a trace
 * @param http2 whether requests of HTTP/2, and so of gRPC, get one as well
 * @param baggage whether the baggage of a request goes on with what is sent for it
 * @param logs whether what goes to logs is handed on
 * @param lineCapture how many bytes of what is written to a log at a time
 * @param logFiles files that are logs beside those that always are
 * @param ringBytes the size of the ring of events, a power of two
 * @param connections how many connections are known at a time
 * @param threads how many threads that serve requests are known at a time
 */
public record TracerSettings(
    int capture,
    int scan,
    Duration contextLifetime,
    double sampleRatio,
    boolean inject,
    boolean startTraces,
    boolean http2,
    boolean baggage,
    boolean logs,
    int lineCapture,
    List<LogPattern> logFiles,
    int ringBytes,
    int connections,
    int threads) {
  /** The most that the programs can look at. */
  public static final int LARGEST_SCAN = 16_384;

  /** The most that is captured of what is written to a log at a time. */
  public static final int LONGEST_LINE = 4 * LARGEST_SCAN;

  public TracerSettings {
    logFiles = List.copyOf(logFiles);
    if (capture < 0 || capture > LARGEST_SCAN) {
      throw new IllegalArgumentException("capture " + capture + ": 0 to " + LARGEST_SCAN);
    }
    if (scan < 256 || scan > LARGEST_SCAN) {
      throw new IllegalArgumentException("scan " + scan + ": 256 to " + LARGEST_SCAN);
    }
    if (lineCapture < 1 || lineCapture > LONGEST_LINE) {
      throw new IllegalArgumentException("line capture " + lineCapture + ": 1 to " + LONGEST_LINE);
    }
    if (logFiles.size() > LogPattern.MOST) {
      throw new IllegalArgumentException(
          logFiles.size() + " patterns of log files, of at most " + LogPattern.MOST);
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
    return new Builder().build();
  }

  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.capture = capture;
    builder.scan = scan;
    builder.contextLifetime = contextLifetime;
    builder.sampleRatio = sampleRatio;
    builder.inject = inject;
    builder.startTraces = startTraces;
    builder.http2 = http2;
    builder.baggage = baggage;
    builder.logs = logs;
    builder.lineCapture = lineCapture;
    builder.logFiles = logFiles;
    builder.ringBytes = ringBytes;
    builder.connections = connections;
    builder.threads = threads;
    return builder;
  }

  /** Takes some settings and leaves the others at their defaults. */
  public static final class Builder {
    private int capture = 4096;
    private int scan = LARGEST_SCAN;
    private Duration contextLifetime = Duration.ofSeconds(30);
    private double sampleRatio = 1;
    private boolean inject = true;
    private boolean startTraces;
    private boolean http2;
    private boolean baggage;
    private boolean logs = true;
    private int lineCapture = LONGEST_LINE;
    private List<LogPattern> logFiles = List.of();
    private int ringBytes = 8 << 20;
    private int connections = 16_384;
    private int threads = 8192;

    public Builder capture(int bytes) {
      capture = bytes;
      return this;
    }

    public Builder scan(int bytes) {
      scan = bytes;
      return this;
    }

    public Builder contextLifetime(Duration lifetime) {
      contextLifetime = lifetime;
      return this;
    }

    public Builder sampleRatio(double ratio) {
      sampleRatio = ratio;
      return this;
    }

    public Builder inject(boolean on) {
      inject = on;
      return this;
    }

    public Builder startTraces(boolean on) {
      startTraces = on;
      return this;
    }

    public Builder http2(boolean on) {
      http2 = on;
      return this;
    }

    public Builder baggage(boolean on) {
      baggage = on;
      return this;
    }

    public Builder logs(boolean on) {
      logs = on;
      return this;
    }

    public Builder lineCapture(int bytes) {
      lineCapture = bytes;
      return this;
    }

    public Builder logFiles(List<LogPattern> patterns) {
      logFiles = patterns;
      return this;
    }

    public Builder ringBytes(int bytes) {
      ringBytes = bytes;
      return this;
    }

    public Builder connections(int most) {
      connections = most;
      return this;
    }

    public Builder threads(int most) {
      threads = most;
      return this;
    }

    public TracerSettings build() {
      return new TracerSettings(
          capture,
          scan,
          contextLifetime,
          sampleRatio,
          inject,
          startTraces,
          http2,
          baggage,
          logs,
          lineCapture,
          logFiles,
          ringBytes,
          connections,
          threads);
    }
  }
}
