/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import static dev.sennit.store.TestStore.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashTest {
  /** The whole number is 20; {@code -Dsennit.crash.rounds=20} asks for it. */
  private static final int ROUNDS = Integer.getInteger("sennit.crash.rounds", 6);

  private static final long PROMISED_MILLIS = 1000;

  @TempDir Path folder;

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

  /** How many spans must be there: those that were said to be, and all but the last second's. */
  private static long writeAndKill(Path file, int round) {
    try (ChildProcess writer =
        ChildProcess.java(KilledWriter.class, file.toString(), Integer.toString(round))) {
      NavigableMap<Long, Long> takenByTime = new TreeMap<>();
      long written = 0;
      boolean heldUp = false;
      // Later from round to round, so that it ends at other moments of a transaction.
      long millis = PROMISED_MILLIS + 200 + 17L * round;
      while (takenByTime.isEmpty() || takenByTime.lastKey() - takenByTime.firstKey() < millis) {
        String[] words = writer.readLine().split(" ");
        switch (words[0]) {
          case "taken" -> takenByTime.put(Long.parseLong(words[3]), Long.parseLong(words[1]));
          case "written" -> written = Long.parseLong(words[1]);
          default -> heldUp = true;
        }
      }
      Map.Entry<Long, Long> promised =
          takenByTime.lowerEntry(takenByTime.lastKey() - PROMISED_MILLIS);
      return heldUp || promised == null ? written : Math.max(written, promised.getValue());
    }
  }
}
