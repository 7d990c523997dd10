/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What several chunks have in common is converted once, and what only looks alike is not. */
final class ChunksInCommonTest {
  @TempDir static Path folder;
  private static Path one;
  private static Path other;

  @BeforeAll
  static void record() throws IOException {
    one = Recordings.hotSpot(folder);
    other = folder.resolve("other.jfr");
    Recordings.java(
        List.of(
            "-Xmx64m",
            "-Xlog:disable",
            "-XX:StartFlightRecording:settings=profile,filename=" + other),
        DetailedWorkload.class);
  }

  @Test
  void theNumbersOfOneJvmMeanSomethingElseInAnother() throws IOException {
    Path joined = joined("joined.jfr", one, other, one);
    Converted together = Converted.of(joined);
    Converted ofOne = Converted.of(one);
    Converted ofOther = Converted.of(other);
    for (ProfileType type : ProfileType.values()) {
      List<Converted.Observation> expected = new ArrayList<>(ofOne.observations(type));
      expected.addAll(ofOther.observations(type));
      expected.addAll(ofOne.observations(type));
      assertThat(counted(together.observations(type)))
          .as(type.toString())
          .isEqualTo(counted(expected));
    }
    assertThat(together.observations(ProfileType.ALLOC)).hasSizeGreaterThan(10);
  }

  @Test
  void theSameRecordingsGiveTheSameBytes() throws IOException {
    Path joined = joined("many.jfr", one, other, one, one, other, one, other, one);
    byte[] first = new JfrToOtlpConverter().addFile(joined).convert();
    for (int i = 0; i < 5; i++) {
      assertThat(new JfrToOtlpConverter().addFile(joined).convert()).isEqualTo(first);
    }
  }

  private static Map<Converted.Observation, Long> counted(List<Converted.Observation> all) {
    return all.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private static Path joined(String name, Path... parts) throws IOException {
    Path joined = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(joined)) {
      for (Path part : parts) {
        Files.copy(part, out);
      }
    }
    return joined;
  }
}
