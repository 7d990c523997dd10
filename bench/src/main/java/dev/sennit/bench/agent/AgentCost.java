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
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an application loses to a profiler: each agent with its profiler on against the same agent
 * with it off, all in turn, every second round backwards. Status 1 if a goal is missed.
 */
final class AgentCost {
  /** How long it takes; the times are those of one JVM. */
  private record Pace(int rounds, int warmupSeconds, int seconds) {}

  private static final Pace FULL = new Pace(10, 5, 6);
  private static final Pace QUICK = new Pace(2, 4, 4);

  private AgentCost() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = List.of(arguments);
    if (!options.isEmpty() && !options.equals(List.of("--quick"))) {
      System.err.println("unknown option " + String.join(" ", options) + "; there is --quick");
      System.exit(2);
    }
    Pace pace = options.isEmpty() ? FULL : QUICK;
    Path target = Rounds.folder().toAbsolutePath().normalize();
    Files.createDirectories(target.resolve("agent"));
    Map<Subject, List<Served>> runs = new EnumMap<>(Subject.class);
    for (int round = 0; round < pace.rounds; round++) {
      List<Subject> order = new ArrayList<>(List.of(Subject.values()));
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (Subject subject : order) {
        runs.computeIfAbsent(subject, _ -> new ArrayList<>())
            .add(Served.by(subject, target, pace.warmupSeconds, pace.seconds));
      }
      System.err.println("round " + (round + 1) + " of " + pace.rounds);
    }
    LossTable table = new LossTable(runs);
    System.out.print(table.print());
    System.out.printf(
        Locale.ROOT,
        "%nMedians of %d rounds, each JVM measured for %d s after %d s, JDK %s, %d processors,"
            + " load average %.1f at the end.%n",
        pace.rounds,
        pace.seconds,
        pace.warmupSeconds,
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    System.exit(table.isMet() ? 0 : 1);
  }
}
