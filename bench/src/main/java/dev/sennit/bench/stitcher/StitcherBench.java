/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.stitcher;

import dev.sennit.bench.NumberOption;
import dev.sennit.bench.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Stitches generated traffic whose truth is known, at several rates, beside the plain rule, and
 * prints what came of it; then how fast it goes.
 */
public final class StitcherBench {
  private static final NumberOption SECONDS = new NumberOption("--seconds", 2, 10);
  private static final NumberOption SEEDS = new NumberOption("--seeds", 1, 3);
  private static final NumberOption PASSES = new NumberOption("--passes", 1, 20);

  private static final int[] RATES = {200, 500, 1000, 2000, 5000};
  private static final int RATE_OF_RECALL = 1000;
  private static final double PRECISION = 0.99;
  private static final double RECALL = 0.95;
  private static final double SPANS_PER_SECOND = 300_000;

  private boolean allMet = true;

  private StitcherBench() {}

  public static void main(String[] arguments) {
    Map<NumberOption, Integer> options = NumberOption.parse(arguments, SECONDS, SEEDS, PASSES);
    StitcherBench bench = new StitcherBench();
    bench.printAccuracy(
        options.getOrDefault(SECONDS, SECONDS.defaultValue()),
        options.getOrDefault(SEEDS, SEEDS.defaultValue()));
    System.out.println();
    bench.printSpeed(options.getOrDefault(PASSES, PASSES.defaultValue()));
    System.exit(bench.allMet ? 0 : 1);
  }

  private void printAccuracy(int seconds, int seeds) {
    System.out.println(
        "Every line is of one seed: per cent of the joins that are right, and of those that could"
            + " be made.\n");
    System.out.println(
        "| requests/s | exchanges/s | right | of the same ends, found | server translated |"
            + " client translated | both translated | left as ambiguous | met |"
            + " plain rule: right | found | found, translated |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (int rate : RATES) {
      for (int seed = 1; seed <= seeds; seed++) {
        Accuracy accuracy = Accuracy.measure(1000L * rate + seed, rate, seconds);
        boolean met =
            accuracy.precision() >= PRECISION
                && (rate > RATE_OF_RECALL || accuracy.recallOfSameEnds() >= RECALL);
        allMet &= met;
        System.out.println(accuracy.row(met));
      }
    }
  }

  private void printSpeed(int passes) {
    Speed speed = new Speed();
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int i = 0; i < passes; i++) {
      Speed.Pass pass = speed.pass();
      wall.add(pass.spansPerSecond());
      cpu.add(pass.spansPerCpuSecond());
    }
    Samples best = Samples.of(cpu);
    boolean met = best.median() >= SPANS_PER_SECOND;
    allMet &= met;
    System.out.println(
        "| spans/s | median | least | most | goal | met |\n|---|---|---|---|---|---|");
    print(
        "of processor time, collector included",
        best,
        String.format(Locale.ROOT, "%,.0f", SPANS_PER_SECOND),
        met ? "yes" : "NO");
    print("by the clock", Samples.of(wall), "", "");
  }

  private static void print(String what, Samples samples, String goal, String met) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %,.0f | %,.0f | %,.0f | %s | %s |%n",
        what,
        samples.median(),
        samples.min(),
        samples.max(),
        goal,
        met);
  }
}
