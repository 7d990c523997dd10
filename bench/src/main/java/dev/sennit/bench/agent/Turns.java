/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All pairs, one after the other, and again until there are enough of each. A pair during which
 * others had a core is measured again in a later turn, whatever it lost: what makes it count is
 * known before its loss is.
 */
final class Turns {
  private final int wanted;
  private final Function<Pair, PairRun> measuring;
  private final Runnable pause;
  private final Map<Pair, List<PairRun>> measured = new EnumMap<>(Pair.class);

  /**
   * @param wanted of each pair
   * @param pause when a whole turn was in vain, which seldom is the last one then
   */
  Turns(int wanted, Function<Pair, PairRun> measuring, Runnable pause) {
    this.wanted = wanted;
    this.measuring = measuring;
    this.pause = pause;
  }

  /** Measures; so often in vain at most as they were to be measured at all. */
  void take() {
    for (int turn = 0; turn < 2 * wanted; turn++) {
      List<Pair> missing = new ArrayList<>(List.of(Pair.values()));
      missing.removeIf(pair -> calm(pair) >= wanted);
      if (missing.isEmpty()) {
        return;
      }
      if (turn % 2 == 1) {
        Collections.reverse(missing);
      }
      boolean calm = false;
      for (Pair pair : missing) {
        PairRun run = measuring.apply(pair);
        runs(pair).add(run);
        calm |= run.isCalm();
        System.err.println(progress(pair) + ": " + pair.title + ": " + run.print());
      }
      if (!calm) {
        System.err.println("others had the cores for a whole turn; a pause, and once more");
        pause.run();
      }
    }
  }

  /** Of each pair as many as are wanted: the calm ones, and the first others if these are fewer. */
  Map<Pair, List<PairRun>> calmest() {
    Map<Pair, List<PairRun>> calmest = new EnumMap<>(Pair.class);
    measured.forEach(
        (pair, runs) ->
            calmest.put(
                pair,
                runs.stream()
                    .sorted(Comparator.comparing(PairRun::isCalm).reversed())
                    .limit(wanted)
                    .toList()));
    return calmest;
  }

  /** How many were measured of which nothing is used. */
  long leftOut() {
    return measured.values().stream().mapToLong(runs -> Math.max(0, runs.size() - wanted)).sum();
  }

  private List<PairRun> runs(Pair pair) {
    return measured.computeIfAbsent(pair, _ -> new ArrayList<>());
  }

  private long calm(Pair pair) {
    return runs(pair).stream().filter(PairRun::isCalm).count();
  }

  private String progress(Pair pair) {
    long calm = calm(pair);
    long disturbed = runs(pair).size() - calm;
    return calm + " of " + wanted + (disturbed == 0 ? "" : ", and " + disturbed + " disturbed");
  }
}
