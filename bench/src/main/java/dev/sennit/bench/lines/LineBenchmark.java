/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.lines;

import dev.sennit.correlation.mask.Masks;
import dev.sennit.correlation.parse.LineParser;
import dev.sennit.correlation.parse.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One line after the other, a thousand that differ in their numbers, as a service writes them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LineBenchmark {
  private static final int LINES = 1024;
  private static final long WRITTEN = 1_794_765_760L * 1_000_000_000;

  /** The layout of the lines. */
  @Param({"logback", "json"})
  public String layout = "logback";

  private final LineParser parser = new LineParser();
  private final Masks masks = Masks.standard();
  private final byte[][] lines = new byte[LINES][];
  private int next;

  @Setup
  public void write() {
    for (int i = 0; i < LINES; i++) {
      String line = layout.equals("json") ? json(i) : logback(i);
      lines[i] = line.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** 120 bytes. */
  private static String logback(int i) {
    return "18:02:%02d.%03d [http-nio-8080-exec-%02d] INFO  org.example.shop.Orders - "
            .formatted(i % 60, i % 1000, i % 32)
        + "order %06d of customer %06d taken in %04d ms".formatted(i * 31, i * 17, i);
  }

  /** 300 bytes. */
  private static String json(int i) {
    return """
    {"@timestamp":"2026-11-15T18:02:%02d.%03dZ","@version":"1","message":"order %06d taken","logger_name":\
    "org.example.shop.Orders","thread_name":"http-nio-8080-exec-%02d","level":"INFO","level_value":20000,\
    "customer":%06d,"traceId":"4bf92f3577b34da6a3ce929d0e0e%04x","spanId":"00f067aa0ba9%04x","service":"shop"}\
    """
        .formatted(i % 60, i % 1000, i * 31, i % 32, i * 17, i, i + 1);
  }

  private byte[] next() {
    next = (next + 1) & (LINES - 1);
    return lines[next];
  }

  @Benchmark
  public boolean begins() {
    byte[] line = next();
    return parser.begins(line, 0, line.length);
  }

  @Benchmark
  public Parsed parse() {
    byte[] line = next();
    return parser.parse(line, 0, line.length, WRITTEN);
  }

  @Benchmark
  public byte[] mask() {
    return masks.apply(next());
  }
}
