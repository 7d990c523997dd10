/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.JfrChunk;
import dev.sennit.profiles.jfr.JfrFile;
import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stacks that chunks have in common, where one of them does not tell everything. */
class FrameLocationsTest {
  /** Where a chunk says whether it is finished, which is 0. */
  private static final int STATE_OFFSET = 64;

  @TempDir static Path folder;
  private static byte[] whole;

  @BeforeAll
  static void record() throws IOException {
    whole = Files.readAllBytes(Recordings.hotSpot(folder));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk.types.Method", "jdk.types.FrameType"})
  void whatAChunkDoesNotTellIsNotTakenOverFromIt(String missing) throws IOException {
    try (JfrFile joined = joined(without(missing), whole)) {
      SharedStacks shared = new SharedStacks(new ProfilesDictionary());
      KnownStacks known = new KnownStacks();
      int[] vague = stacks(joined.chunks().getFirst(), shared, known);
      int[] told = stacks(joined.chunks().getLast(), shared, known);
      assertThat(told).hasSameSizeAs(vague).isNotEqualTo(vague);
      assertThat(told).isEqualTo(stacks(joined.chunks().getLast(), shared, new KnownStacks()));
    }
  }

  @Test
  void whatOthersTellIsNotTakenOverIntoAChunkThatIsNotFinished() throws IOException {
    byte[] unfinished = without("jdk.types.Method");
    unfinished[STATE_OFFSET] = 1;
    try (JfrFile joined = joined(whole, unfinished)) {
      SharedStacks shared = new SharedStacks(new ProfilesDictionary());
      KnownStacks known = new KnownStacks();
      int[] told = stacks(joined.chunks().getFirst(), shared, known);
      int[] vague = stacks(joined.chunks().getLast(), shared, known);
      assertThat(vague).hasSameSizeAs(told).isNotEqualTo(told);
      assertThat(vague).isEqualTo(stacks(joined.chunks().getLast(), shared, new KnownStacks()));
    }
  }

  private static JfrFile joined(byte[] one, byte[] other) throws IOException {
    Path file = folder.resolve("joined.jfr");
    Files.write(file, one);
    Files.write(file, other, StandardOpenOption.APPEND);
    return JfrFile.open(file);
  }

  /** The same bytes with another name for a type, so that nobody finds its constants. */
  private static byte[] without(String type) {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    assertThat(text).contains(type);
    return text.replace(type, type.replace("types", "TYPES")).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static int[] stacks(JfrChunk chunk, SharedStacks shared, KnownStacks known)
      throws IOException {
    try (ChunkReader reader = chunk.open()) {
      long[] traces = reader.pool("jdk.types.StackTrace").ids();
      Arrays.sort(traces);
      int[] found = new int[traces.length];
      new FrameLocations(reader, shared, known, false).find(traces, found, traces.length);
      return found;
    }
  }
}
