/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fuzz;

import dev.sennit.bench.NumberOption;
import dev.sennit.bench.Rounds;
import dev.sennit.tracing.protocol.FuzzedParser;
import java.io.IOException;

/** Lets Jazzer loose on every parser, some minutes in all, and prints what came of it. */
public final class Fuzz {
  private static final NumberOption MINUTES = new NumberOption("--minutes", 1, 10);

  private Fuzz() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int seconds = MINUTES.parse(arguments) * 60 / FuzzedParser.values().length;
    boolean survived = true;
    System.out.println("| parser | seconds | inputs | survived |");
    System.out.println("|---|---|---|---|");
    for (FuzzedParser parser : FuzzedParser.values()) {
      FuzzRun run =
          FuzzRun.run(
              parser, Rounds.folder().resolve("fuzz"), "-max_total_time=" + Math.max(1, seconds));
      System.out.printf(
          "| %s | %d | %,d | %s |%n",
          parser, seconds, run.executed(), run.survived() ? "yes" : "no, see " + run.log());
      survived &= run.survived();
    }
    System.exit(survived ? 0 : 1);
  }
}
