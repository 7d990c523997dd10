/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.agent.SwappedRounds.Round;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** How the two JVMs of a pair are run. */
sealed interface Arrangement {
  /** Measures both; swapped, each has the place of the other. */
  Round round(Pair pair, boolean swapped);

  /** How many swapped rounds there is time for, of those asked for. */
  int affordable(int count);

  /** For below a table of these rounds. */
  String describe(List<SwappedRounds> all);

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
    public Round round(Pair pair, boolean swapped) {
      int core = swapped ? cores.other() : cores.one();
      int other = swapped ? cores.one() : cores.other();
      try (Application without =
              Application.start(pair.without, target, pace, OptionalInt.of(core));
          Application with = Application.start(pair.with, target, pace, OptionalInt.of(other))) {
        List<Served> served = Application.measure(pace, List.of(without, with));
        return new Round(served.getFirst(), served.getLast());
      }
    }

    @Override
    public int affordable(int count) {
      return count;
    }

    @Override
    public String describe(List<SwappedRounds> all) {
      List<Round> rounds = all.stream().flatMap(SwappedRounds::rounds).toList();
      return String.format(
          Locale.ROOT,
          "pairs side by side on cores %d and %d, each pair twice with the cores swapped, measured"
              + " at the same time but for %.2f %% of it or less; in %d of %d rounds others had"
              + " more than 5 %% of a core",
          cores.one(),
          cores.other(),
          100 * (1 - rounds.stream().mapToDouble(Round::overlap).min().orElseThrow()),
          rounds.stream().filter(Round::isDisturbed).count(),
          rounds.size());
    }
  }

  /** One after the other, on all processors. */
  record InTurn(Path target, Application.Pace pace) implements Arrangement {
    @Override
    public Round round(Pair pair, boolean swapped) {
      if (swapped) {
        Served with = served(pair.with);
        return new Round(served(pair.without), with);
      }
      Served without = served(pair.without);
      return new Round(without, served(pair.with));
    }

    private Served served(Subject subject) {
      try (Application application =
          Application.start(subject, target, pace, OptionalInt.empty())) {
        return Application.measure(pace, List.of(application)).getFirst();
      }
    }

    /** A round takes twice as long. */
    @Override
    public int affordable(int count) {
      return (count + 1) / 2;
    }

    @Override
    public String describe(List<SwappedRounds> all) {
      return "pairs one after the other, each pair twice with the order swapped";
    }
  }
}
