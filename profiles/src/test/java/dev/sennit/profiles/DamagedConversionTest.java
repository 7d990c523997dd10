/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged recordings end in a valid result or in a clear refusal, with little memory. The long form
 * is {@code bench/mutated-recordings}.
 */
class DamagedConversionTest {
  private static final int MUTATIONS = 5_000;

  @TempDir Path folder;

  @Test
  void noMutationDoesWorseThanToBeRefused() throws IOException {
    Path recording = DatadogRecording.write(folder.resolve("intact.jfr"));
    List<String> lines =
        Recordings.java(
            List.of("-Xmx256m"),
            MutatedConversions.class,
            folder.toString(),
            "0",
            Integer.toString(MUTATIONS),
            recording.toString());
    assertThat(lines)
        .hasSize(MUTATIONS)
        .allMatch(line -> line.matches("\\d+ (converted|refused).*"));
    assertThat(lines).anyMatch(line -> line.contains("converted"));
    assertThat(lines).anyMatch(line -> line.contains("refused"));
  }
}
