/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashTest {
  private static final int ROUNDS = 20;
  private static final long PROMISED_MILLIS = 1000;

  @TempDir Path folder;

  /** A number that was taken, and when. */
  private record Taken(long number, long millis) {
    static Taken parse(String line) {
      String[] words = line.split(" ");
      return new Taken(Long.parseLong(words[0]), Long.parseLong(words[2]));
    }
  }

  @Test
  void aKilledWriterLosesTheLastSecondAtMostAndNeverTheFile() {
    Path file = folder.resolve("killed.duckdb");
    long before = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      long promised = writeAndKill(file, round);
      try (TelemetryStore store = TelemetryStore.open(file, KilledWriter.SETTINGS)) {
        String rows = "FROM spans WHERE name = 'round " + round + "'";
        assertThat(number(store, "SELECT count(*) " + rows + " AND epoch_ns(start) < " + promised))
            .as("spans of round %d that were promised", round)
            .isEqualTo(promised);
        assertThat(number(store, "SELECT count(DISTINCT span_id) - count(*) " + rows)).isZero();
        assertThat(number(store, "SELECT count(*) % " + KilledWriter.SPANS_OF_A_REQUEST + rows))
            .as("requests are there whole")
            .isZero();
        long all = number(store, "SELECT count(*) FROM spans");
        assertThat(all).isGreaterThanOrEqualTo(before + promised);
        before = all;
      }
    }
  }

  /** How many spans were taken more than a second before the end. */
  private static long writeAndKill(Path file, int round) {
    try (ChildProcess writer =
        ChildProcess.java(KilledWriter.class, file.toString(), Integer.toString(round))) {
      List<Taken> taken = new ArrayList<>();
      taken.add(Taken.parse(writer.expect("taken ")));
      // Later from round to round, so that it ends at other moments of a transaction.
      long millis = PROMISED_MILLIS + 200 + 17L * round;
      while (taken.getLast().millis - taken.getFirst().millis < millis) {
        taken.add(Taken.parse(writer.expect("taken ")));
      }
      // It is killed after it has said the last.
      long promised = taken.getLast().millis - PROMISED_MILLIS;
      return taken.stream()
          .filter(one -> one.millis < promised)
          .mapToLong(Taken::number)
          .max()
          .orElseThrow();
    }
  }
}
