/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.agent.SwappedRounds.Round;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** How the two JVMs of a pair are run. */
sealed interface Arrangement {
  /** Measures both JVMs of a pair, as often in the place of the other as in their own. */
  PairRun measure(Pair pair);

  /** How many pairs there is time for, of those asked for. */
  int affordable(int count);

  /** For below a table of these rounds. */
  String describe(List<PairRun> all);

  /** Side by side where that can be; says so if not. */
  static Arrangement best(Path target, Application.Pace pace) {
    Optional<String> obstacle = Cores.obstacle();
    if (obstacle.isPresent()) {
      System.err.println(
          obstacle.get() + ", so the JVMs run one after the other, which tells much less");
      return new InTurn(target, pace);
    }
    return new SideBySide(target, pace, Cores.two());
  }

  /** At the same time, each on a core of its own: what disturbs the machine disturbs both. */
  record SideBySide(Path target, Application.Pace pace, Cores cores) implements Arrangement {
    @Override
    public PairRun measure(Pair pair) {
      try (Application without =
              Application.start(pair.without, target, pace, OptionalInt.of(cores.one()));
          Application with =
              Application.start(pair.with, target, pace, OptionalInt.of(cores.other()))) {
        without.awaitWarm();
        with.awaitWarm();
        List<SwappedRounds> couples = new ArrayList<>();
        int calm = 0;
        // Where others had a core, once more: so often at most as they were to be measured at all.
        for (int i = 0; calm < pace.couples() && i < 2 * pace.couples(); i++) {
          couples.add(couple(without, with));
          calm += couples.getLast().isCalm() ? 1 : 0;
        }
        without.end();
        with.end();
        return PairRun.calmest(couples, pace.couples());
      }
    }

    /**
     * In slices, between which they swap cores: others make a core slower and faster again, and the
     * shorter the slices, the more evenly that falls on both rounds.
     */
    private SwappedRounds couple(Application without, Application with) {
      Optional<SwappedRounds> sum = Optional.empty();
      for (int i = 0; i < pace.slices(); i++) {
        // From one slice to the next but one they stay where they are.
        boolean swapped = i % 2 == 1;
        Round one = round(without, with, swapped);
        Round other = round(without, with, !swapped);
        SwappedRounds slice =
            swapped ? new SwappedRounds(other, one) : new SwappedRounds(one, other);
        sum = Optional.of(sum.map(so -> so.plus(slice)).orElse(slice));
      }
      return sum.orElseThrow();
    }

    private Round round(Application without, Application with, boolean swapped) {
      without.moveTo(swapped ? cores.other() : cores.one());
      with.moveTo(swapped ? cores.one() : cores.other());
      List<Served> served = Application.measure(pace.sliceMillis(), List.of(without, with));
      return new Round(served.getFirst(), served.getLast());
    }

    @Override
    public int affordable(int count) {
      return count;
    }

    @Override
    public String describe(List<PairRun> all) {
      List<Round> rounds = all.stream().flatMap(PairRun::rounds).toList();
      return String.format(
          Locale.ROOT,
          "pairs side by side on cores %d and %d, which they swap after each slice of %d ms,"
              + " measured at the same time but for %.2f %% of it or less; in %d of %d rounds"
              + " others had more than 5 %% of a core",
          cores.one(),
          cores.other(),
          pace.sliceMillis(),
          100 * (1 - rounds.stream().mapToDouble(Round::overlap).min().orElseThrow()),
          rounds.stream().filter(Round::isDisturbed).count(),
          rounds.size());
    }
  }

  /** One after the other, on all processors. */
  record InTurn(Path target, Application.Pace pace) implements Arrangement {
    @Override
    public PairRun measure(Pair pair) {
      Round first = new Round(served(pair.without), served(pair.with));
      Served with = served(pair.with);
      Round second = new Round(served(pair.without), with);
      return new PairRun(List.of(new SwappedRounds(first, second)));
    }

    private Served served(Subject subject) {
      try (Application application =
          Application.start(subject, target, pace, OptionalInt.empty())) {
        application.awaitWarm();
        Served served = Application.measure(pace.measuredMillis(), List.of(application)).getFirst();
        application.end();
        return served;
      }
    }

    /** A pair takes four times as long. */
    @Override
    public int affordable(int count) {
      return (count + 3) / 4;
    }

    @Override
    public String describe(List<PairRun> all) {
      return "pairs one after the other, each pair twice with the order swapped";
    }
  }
}
