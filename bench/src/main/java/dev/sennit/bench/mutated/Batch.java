/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import dev.sennit.profiles.MutatedConversions;
import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Mutations of successive numbers in a JVM with little memory, or in several if one ends early. */
final class Batch {
  private static final List<String> JVM_OPTIONS = List.of("-Xmx256m", "-Xlog:disable");

  private final Path folder;
  private final List<Path> recordings;
  private final Outcomes outcomes;

  Batch(Path folder, List<Path> recordings, Outcomes outcomes) {
    this.folder = folder;
    this.recordings = recordings;
    this.outcomes = outcomes;
  }

  void run(long start, int count) {
    long next = start;
    while (next < start + count) {
      next = runSome(next, (int) (start + count - next));
    }
  }

  /** The result is the number to go on with. */
  private long runSome(long start, int count) {
    List<String> arguments = new ArrayList<>();
    arguments.add(folder.toString());
    arguments.add(Long.toString(start));
    arguments.add(Integer.toString(count));
    recordings.forEach(recording -> arguments.add(recording.toString()));
    long next = start;
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(
                JVM_OPTIONS, MutatedConversions.class, arguments.toArray(String[]::new)))) {
      @Nullable Outcome outcome = null;
      for (String line : child.readAll()) {
        if (line.startsWith(" ") && outcome != null) {
          outcome = outcome.with(line);
        } else {
          add(outcome);
          outcome = Outcome.parse(line);
          next = outcome.number() + 1;
        }
      }
      add(outcome);
      int status = child.waitFor();
      if (status != 0 && status != MutatedConversions.HUNG_STATUS) {
        outcomes.add(Outcome.crash(next, status, child.errors()));
        next++;
      }
    }
    return next;
  }

  private void add(@Nullable Outcome outcome) {
    if (outcome != null) {
      outcomes.add(outcome);
    }
  }
}
