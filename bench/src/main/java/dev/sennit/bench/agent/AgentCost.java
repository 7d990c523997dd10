/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.bench.Rounds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an application loses to a profiler: each agent with its profiler on against the same agent
 * with it off, at the same time on two cores, which they then swap. Status 1 if a goal is missed.
 */
final class AgentCost {
  private static final int PAIRS = 20;
  private static final int QUICK_PAIRS = 1;
  private static final Application.Pace FULL = new Application.Pace(5, 6, 5, 100);
  private static final Application.Pace QUICK = new Application.Pace(4, 3, 5, 100);

  private AgentCost() {}

  public static void main(String[] arguments) throws IOException {
    List<String> options = List.of(arguments);
    if (!options.isEmpty() && !options.equals(List.of("--quick"))) {
      System.err.println("unknown option " + String.join(" ", options) + "; there is --quick");
      System.exit(2);
    }
    Path target = Rounds.folder().toAbsolutePath().normalize();
    Files.createDirectories(target.resolve("agent"));
    Application.Pace pace = options.isEmpty() ? FULL : QUICK;
    Arrangement arrangement = Arrangement.best(target, pace);
    int count = arrangement.affordable(options.isEmpty() ? PAIRS : QUICK_PAIRS);
    Turns turns = new Turns(count, arrangement::measure, AgentCost::pause);
    turns.take();
    Map<Pair, List<PairRun>> measured = turns.calmest();
    LossTable table = new LossTable(measured);
    System.out.print(table.print());
    System.out.printf(
        Locale.ROOT,
        "%nMedians; %s; %d pairs left out, for others had a core meanwhile; each JVM measured for"
            + " %.0f s after %d s of processor time. JDK %s, %d processors, load average %.1f at"
            + " the end.%n",
        arrangement.describe(measured.values().stream().flatMap(List::stream).toList()),
        turns.leftOut(),
        pace.measuredMillis() / 1e3,
        pace.warmupSeconds(),
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    System.exit(table.isMet() ? 0 : 1);
  }

  /** What keeps the cores of a virtual machine from it lasts for minutes. */
  private static void pause() {
    try {
      TimeUnit.MINUTES.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
