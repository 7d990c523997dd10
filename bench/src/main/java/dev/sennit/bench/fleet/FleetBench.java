/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fleet;

import dev.sennit.bench.NumberOption;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Measures an instance with a broker on the same machine, with 1, 2 and 4 partitions, and says what
 * fleets of several sizes need by that.
 */
public final class FleetBench {
  private static final NumberOption SPANS = new NumberOption("--spans", 100_000, 2_000_000);
  private static final NumberOption THREADS = new NumberOption("--threads", 1, 2);
  private static final int[] PARTITIONS = {1, 2, 4};
  private static final double GOAL = 50_000;

  private FleetBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Map<NumberOption, Integer> options = NumberOption.parse(arguments, SPANS, THREADS);
    int spans = options.getOrDefault(SPANS, SPANS.defaultValue());
    int threads = options.getOrDefault(THREADS, THREADS.defaultValue());
    System.out.println(
        "| partitions | spans/s, in and out | of processor time, µs a span | of the broker, µs |"
            + " stores, bytes a span |");
    System.out.println("|---|---|---|---|---|");
    double best = 0;
    FleetRun last = null;
    for (int partitions : PARTITIONS) {
      FleetRun run = FleetRun.measure(partitions, threads, spans, Duration.ofSeconds(10));
      System.out.printf(
          Locale.ROOT,
          "| %d | %,.0f | %.1f | %.1f | %.0f |%n",
          run.partitions(),
          run.spansPerSecond(),
          run.microseconds(),
          run.brokerMicroseconds(),
          run.stateBytesPerSpan());
      best = Math.max(best, run.spansPerSecond());
      last = run;
    }
    System.out.println();
    if (last != null) {
      Sizing.print(last);
    }
    System.exit(best >= GOAL ? 0 : 1);
  }
}
