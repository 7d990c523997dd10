/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A writer in another process that turns its file over many times, and a reader that dies often.
 */
class RotationTest {
  private static final int LINES = 200_000;
  private static final int TURNS = 50;

  @TempDir Path folder;

  private final Random random = new Random(11);
  private final BitSet taken = new BitSet();
  private final List<Integer> unacknowledged = new ArrayList<>();
  private int twice;
  private int strange;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyLineIsTakenOnceOverTurnsAndRestarts(boolean rename) throws IOException {
    Path log = Files.createFile(folder.resolve("app.log"));
    TailSettings settings =
        new TailSettings(
            List.of(log.toString()),
            true,
            1 << 16,
            1 << 16,
            10,
            Duration.ZERO,
            Duration.ofMillis(100));
    Path positions = folder.resolve("positions");
    FileTails.open(settings, positions).close(); // what was turned over before is nobody's
    int restarts = 0;
    try (ChildProcess writer =
        ChildProcess.java(
            RotatingWriter.class, log.toString(), "" + LINES, "" + TURNS, "" + rename)) {
      boolean ended = false;
      while (!ended || restarts < 20) {
        try (FileTails tails = FileTails.open(settings, positions)) {
          ended = !writer.isAlive();
          run(tails, ended);
        }
        // What it had not acknowledged when it died was never taken.
        unacknowledged.clear();
        restarts++;
      }
      assertThat(writer.waitFor()).isZero();
    }
    assertThat(strange).isZero();
    assertThat(twice).isZero();
    int all = rename ? LINES + TURNS + 1 : LINES;
    if (rename) {
      taken.set(LINES); // the late lines are numbered from 1
    }
    assertThat(taken.nextClearBit(0)).isEqualTo(all);
    assertThat(taken.cardinality()).isEqualTo(all);
  }

  /** Reads for a while and dies; or to the end, if nobody writes any more. */
  private void run(FileTails tails, boolean toTheEnd) throws IOException {
    int polls = random.nextInt(30);
    boolean more = true;
    for (int i = 0; i < polls || (toTheEnd && more); i++) {
      more = tails.poll(this::take, FileTailsTest.ALL);
      if (random.nextInt(3) == 0 || toTheEnd) {
        tails.acknowledge();
        for (int number : unacknowledged) {
          twice += taken.get(number) ? 1 : 0;
          taken.set(number);
        }
        unacknowledged.clear();
      }
    }
  }

  private void take(Path file, byte[] bytes, int from, int to, boolean cut) {
    String line = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    String[] words = line.split(" ");
    if (cut || words.length < 3 || !words[0].equals("line")) {
      strange++;
    } else {
      unacknowledged.add(Integer.parseInt(words[1]));
    }
  }
}
