/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.churn;

import dev.sennit.bench.NumberOption;
import dev.sennit.context.thread.ContextStorageMode;
import java.util.Locale;

/** A million threads in each mode, and what is left of them. */
public final class ShortLivedThreads {
  private static final NumberOption THREADS = new NumberOption("--threads", 1_000, 1_000_000);

  /** KiB that a JVM grows and shrinks by for reasons of its own. */
  private static final long NOISE = 5 * 1024;

  private ShortLivedThreads() {}

  public static void main(String[] arguments) {
    int threads = THREADS.parse(arguments);
    boolean allMet = true;
    System.out.println(
        "| mode | threads | seconds | used slots | KiB resident after a tenth | at the end | growth"
            + " | growth of anonymous memory | goal | met |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (ContextStorageMode mode : ContextStorageMode.values()) {
      long start = System.nanoTime();
      Churn churn = Churn.run(mode.optionValue(), threads);
      double seconds = (System.nanoTime() - start) / 1e9;
      boolean met = churn.usedSlots() == 0 && churn.residentGrowth() <= NOISE;
      allMet &= met;
      System.out.printf(
          Locale.ROOT,
          "| %s | %,d | %.1f | %d | %,d | %,d | %,d | %,d | <= %,d | %s |%n",
          mode.optionValue(),
          threads,
          seconds,
          churn.usedSlots(),
          churn.early().resident(),
          churn.late().resident(),
          churn.residentGrowth(),
          churn.late().anonymous() - churn.early().anonymous(),
          NOISE,
          met ? "yes" : "NO");
    }
    System.exit(allMet ? 0 : 1);
  }
}
