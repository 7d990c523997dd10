/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import dev.sennit.bench.NumberOption;
import dev.sennit.bench.torn.Hunt.Quarry;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.reader.ThreadRecordReader;
import java.time.Duration;
import java.util.Locale;

/** Hunts for torn reads with every reader, for a minute in all, and prints what each found. */
public final class TornReads {
  private static final NumberOption SECONDS = new NumberOption("--seconds", 1, 60);

  /** How many times its share of the time a hunt may take on a machine that is busy otherwise. */
  private static final int PATIENCE = 5;

  private final Duration total;
  private boolean allMet = true;

  private TornReads(Duration total) {
    this.total = total;
  }

  public static void main(String[] arguments) {
    TornReads tornReads = new TornReads(Duration.ofSeconds(SECONDS.parse(arguments)));
    tornReads.run();
    System.exit(tornReads.allMet ? 0 : 1);
  }

  private void run() {
    System.out.println(
        "| the writer is in | reader | seconds | writes | refused | accepted | at least | torn |"
            + " must find | met |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    try (HammeredProcess writer = HammeredProcess.start();
        ProcessMemory memory = ProcessMemory.of(writer.pid());
        ThreadRecordReader reader =
            ThreadRecordReader.open(writer.pid(), OutsideReaders.published(writer.ring()))) {
      report(
          "another process",
          0.4,
          new Hunt(
              "all slots three times: control word, ids, control word",
              OutsideReaders.controlWord(memory, writer.ring()),
              Quarry.NOTHING,
              scaled(20_000_000)));
      report(
          "another process",
          0.1,
          new Hunt(
              "ThreadRecordReader",
              OutsideReaders.product(reader),
              Quarry.NOTHING,
              scaled(1_000_000)));
      report(
          "another process",
          0.05,
          new Hunt(
              "the flag alone: flag, ids, flag, each by a call of its own",
              OutsideReaders.flagOnly(memory, writer.ring()),
              Quarry.SOMETHING,
              1));
    }
    try (HammeredRing ring = HammeredRing.start()) {
      report(
          "the same process",
          0.4,
          new Hunt(
              "RingSlot.read",
              InsideReaders.controlWord(ring.address()),
              Quarry.NOTHING,
              scaled(1_000_000_000)));
      report(
          "the same process",
          0.05,
          new Hunt(
              "the flag alone: flag, ids, flag",
              InsideReaders.flagOnly(ring.address()),
              Quarry.SOMETHING,
              1));
    }
  }

  /** The goals are for the default time; half the time has half the goals. */
  private long scaled(long goal) {
    return goal * total.toSeconds() / SECONDS.defaultValue();
  }

  private void report(String where, double share, Hunt hunt) {
    Duration time = Duration.ofNanos((long) (total.toNanos() * share));
    long start = System.nanoTime();
    Tally tally = hunt.run(time, time.multipliedBy(PATIENCE));
    double seconds = (System.nanoTime() - start) / 1e9;
    boolean met = hunt.isMet(tally);
    allMet &= met;
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.1f | %,d | %,d | %,d | %,d | %,d | %s | %s |%n",
        where,
        hunt.reader(),
        seconds,
        tally.writes(),
        tally.refused(),
        tally.accepted(),
        hunt.fewestAccepted(),
        tally.torn(),
        hunt.quarry().name().toLowerCase(Locale.ROOT),
        met ? "yes" : "NO");
  }
}
