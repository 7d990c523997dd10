/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.DatadogRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutatedRecordingsTest {
  @TempDir Path folder;

  @Test
  void aBatchHasAnOutcomeForEachNumberAndTheSameOneAgain() throws IOException {
    List<Path> recordings = List.of(DatadogRecording.write(folder.resolve("datadog.jfr")));
    assertThat(run(recordings, 1_000, 200))
        .isEqualTo(run(recordings, 1_000, 200))
        .anyMatch(line -> line.startsWith("| datadog.jfr | 200 | "));
  }

  private List<String> run(List<Path> recordings, int start, int count) {
    Outcomes outcomes = new Outcomes(List.of("datadog.jfr"));
    new Batch(folder, recordings, outcomes).run(start, count);
    assertThat(outcomes.failures()).isEmpty();
    return outcomes.lines();
  }

  @Test
  void aJvmThatEndsEarlyIsACrashOfTheMutationItWasAt() {
    Outcomes outcomes = new Outcomes(List.of("absent.jfr"));
    new Batch(folder, List.of(folder.resolve("absent.jfr")), outcomes).run(7, 1);
    assertThat(outcomes.failures())
        .singleElement()
        .satisfies(
            outcome -> {
              assertThat(outcome.number()).isEqualTo(7);
              assertThat(outcome.end()).isEqualTo("CRASHED");
              assertThat(outcome.details()).contains("status 1", "NoSuchFileException");
            });
    assertThat(outcomes.lines()).contains("| absent.jfr | 1 | 0 | 0 | 1 |");
  }

  @Test
  void whatWentWrongIsReportedWithItsDetails() {
    Outcome outcome = Outcome.parse("12 HUNG").with("  main").with("    at a.b");
    assertThat(outcome.isGood()).isFalse();
    assertThat(outcome).isEqualTo(new Outcome(12, "HUNG", "\n  main\n    at a.b"));
    assertThat(Outcome.parse("3 refused it is cut off"))
        .isEqualTo(new Outcome(3, "refused", "it is cut off"));
  }
}
