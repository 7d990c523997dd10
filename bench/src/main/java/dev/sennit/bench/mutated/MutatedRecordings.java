/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import dev.sennit.bench.NumberOption;
import dev.sennit.bench.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Converts a hundred thousand mutated recordings and prints what became of them. */
public final class MutatedRecordings {
  private static final NumberOption COUNT = new NumberOption("--count", 1, 100_000);
  private static final NumberOption START = new NumberOption("--start", 0, 0);

  /** So many for a JVM: it takes its time to get warm. */
  private static final int BATCH = 5_000;

  private MutatedRecordings() {}

  public static void main(String[] arguments)
      throws IOException, ExecutionException, InterruptedException {
    Map<NumberOption, Integer> options = NumberOption.parse(arguments, COUNT, START);
    Path folder = Rounds.folder().resolve("mutated-recordings");
    List<Path> recordings = Makers.recordings(folder);
    Outcomes outcomes =
        new Outcomes(recordings.stream().map(file -> file.getFileName().toString()).toList());
    run(
        new Batch(folder, recordings, outcomes),
        options.getOrDefault(START, START.defaultValue()),
        options.getOrDefault(COUNT, COUNT.defaultValue()));
    outcomes.lines().forEach(System.out::println);
    for (Outcome failure : outcomes.failures()) {
      System.out.println();
      System.out.println("mutation " + failure.number() + " " + failure.end());
      System.out.println(failure.details());
    }
    if (!outcomes.failures().isEmpty()) {
      System.out.println();
      System.out.println("The recordings as they were mutated are in " + folder + ".");
      System.exit(1);
    }
  }

  private static void run(Batch batch, int start, int count)
      throws ExecutionException, InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    try (ExecutorService executor = Executors.newFixedThreadPool(processors)) {
      List<Future<?>> running = new ArrayList<>();
      for (int done = 0; done < count; done += BATCH) {
        int from = start + done;
        int some = Math.min(BATCH, count - done);
        running.add(executor.submit(() -> batch.run(from, some)));
      }
      for (Future<?> part : running) {
        part.get();
      }
    }
  }
}
