/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every parser with some thousand changes of its sessions, the same ones each time. */
final class ParserMutationTest {
  private static final int CHANGES = 4000;

  @ParameterizedTest
  @EnumSource
  void survivesSessionsAsTheyAre(FuzzedParser parser) {
    assertThat(parser.play(new byte[0]).faults()).isEmpty();
    for (byte[] seed : parser.seeds()) {
      assertThat(parser.play(seed).faults()).isEmpty();
      assertThat(parser.play(seed).opened()).as("exchanges of a session").isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void survivesSessionsThatAreChanged(FuzzedParser parser) {
    List<byte[]> seeds = parser.seeds();
    for (int i = 0; i < CHANGES; i++) {
      SplittableRandom random = new SplittableRandom(i);
      byte[] input = seeds.get(random.nextInt(seeds.size()));
      for (int j = random.nextInt(1, 8); j > 0; j--) {
        input = change(input, seeds, random);
      }
      try {
        assertThat(parser.play(input).faults()).isEmpty();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("change " + i + " of " + parser, e);
      }
    }
  }

  private static byte[] change(byte[] input, List<byte[]> seeds, SplittableRandom random) {
    int at = random.nextInt(input.length);
    int end = Math.min(input.length, at + 1 + random.nextInt(64));
    byte[] part = Arrays.copyOfRange(input, at, end);
    return switch (random.nextInt(6)) {
      case 0 -> with(input, at, (byte) random.nextInt());
      case 1 -> with(input, at, (byte) (input[at] ^ 1 << random.nextInt(8)));
      case 2 -> splice(input, at, end, new byte[0]);
      case 3 -> splice(input, random.nextInt(input.length), -1, part);
      case 4 -> with(input, at, (byte) (random.nextBoolean() ? 0xff : 0));
      default -> {
        byte[] other = seeds.get(random.nextInt(seeds.size()));
        int from = random.nextInt(other.length);
        int to = Math.min(other.length, from + random.nextInt(400));
        yield splice(input, at, -1, Arrays.copyOfRange(other, from, to));
      }
    };
  }

  private static byte[] with(byte[] input, int at, byte value) {
    byte[] changed = input.clone();
    changed[at] = value;
    return changed;
  }

  /** Replaces what is between two places; without an end, nothing. */
  private static byte[] splice(byte[] input, int from, int to, byte[] part) {
    int rest = Math.max(from, to);
    byte[] changed = new byte[from + part.length + input.length - rest];
    System.arraycopy(input, 0, changed, 0, from);
    System.arraycopy(part, 0, changed, from, part.length);
    System.arraycopy(input, rest, changed, from + part.length, input.length - rest);
    return changed.length == 0 ? input : changed;
  }
}
