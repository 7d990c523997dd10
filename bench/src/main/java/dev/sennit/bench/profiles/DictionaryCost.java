/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import dev.sennit.bench.Rounds;
import dev.sennit.bench.Rounds.Pace;
import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks of this package in rounds and prints a table for each. */
public final class DictionaryCost {
  private static final Pace FULL = new Pace(3, 5, 8, TimeValue.milliseconds(250));
  private static final Pace QUICK = new Pace(1, 3, 3, TimeValue.milliseconds(100));

  private DictionaryCost() {}

  public static void main(String[] arguments) throws IOException {
    Pace pace = Rounds.pace(FULL, QUICK, arguments);
    Path folder = Rounds.folder();
    Path log = folder.resolve("dictionaries.log");
    try (Rounds rounds = new Rounds(pace, log)) {
      rounds.repeat(() -> rounds.run(Rounds.include(DictionaryCost.class, ".*")));
      rounds.writeJson(folder.resolve("dictionaries.json"));
      new DictionaryCostTables(Cost.of(rounds.results())).lines().forEach(System.out::println);
      System.out.println();
      System.out.println(rounds.conditions());
    } catch (RunnerException e) {
      System.err.println("a benchmark failed: " + e.getMessage() + "; see " + log);
      System.exit(1);
    }
  }
}
