/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fleet;

import java.util.Locale;

/** What fleets of several sizes need, by the figures of one run. */
final class Sizing {
  private static final int[] HOSTS = {100, 1_000, 10_000};
  private static final int SPANS_PER_HOST = 50;
  private static final double BUSY = 0.6;
  private static final int RETENTION_SECONDS = 600;

  /** The longest that what is old stays, as a part of the retention. */
  private static final int FORGOTTEN_WITHIN = 2;

  private static final int WAITING_SECONDS = 11;
  private static final int BYTES_WAITING = 1_500;

  private Sizing() {}

  static void print(FleetRun run) {
    System.out.println(
        "| hosts | spans/s | cores, 60 % busy | of brokers | stores, retention 10 min | heap of all"
            + " instances |");
    System.out.println("|---|---|---|---|---|---|");
    for (int hosts : HOSTS) {
      double spans = (double) hosts * SPANS_PER_HOST;
      System.out.printf(
          Locale.ROOT,
          "| %,d | %,.0f | %.1f | %.1f | %.1f GB | %.1f GB |%n",
          hosts,
          spans,
          spans * run.microseconds() / 1e6 / BUSY,
          spans * run.brokerMicroseconds() / 1e6 / BUSY,
          spans * RETENTION_SECONDS * FORGOTTEN_WITHIN * run.stateBytesPerSpan() / 1e9,
          1 + spans * WAITING_SECONDS * BYTES_WAITING / 1e9);
    }
  }
}
