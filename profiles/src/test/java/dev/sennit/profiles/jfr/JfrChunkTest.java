/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The clock of a chunk. */
final class JfrChunkTest {
  private static Path file = Path.of("none");

  @BeforeContainer
  static void createFile() throws IOException {
    file = Files.createTempFile("header", ".jfr");
  }

  @AfterContainer
  static void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 300)
  void ticksBecomeNanosecondsWithoutLosingAny(
      @ForAll @LongRange(min = 1) long ticksPerSecond,
      @ForAll @LongRange(min = -1_000_000_000_000L, max = 1_000_000_000_000_000L) long ticks)
      throws IOException {
    long startNanos = 1_700_000_000_123_456_789L;
    long startTicks = 987_654_321L;
    byte[] header =
        ByteBuffer.allocate(ChunkHeader.SIZE)
            .putInt(ChunkHeader.MAGIC)
            .putShort((short) 2)
            .putShort((short) 1)
            .putLong(ChunkHeader.SIZE)
            .putLong(0)
            .putLong(0)
            .putLong(startNanos)
            .putLong(0)
            .putLong(startTicks)
            .putLong(ticksPerSecond)
            .array();
    Files.write(file, header);
    try (JfrFile recording = JfrFile.open(file)) {
      JfrChunk chunk = recording.chunks().getFirst();
      BigInteger[] exact =
          BigInteger.valueOf(ticks)
              .multiply(BigInteger.valueOf(1_000_000_000))
              .divideAndRemainder(BigInteger.valueOf(ticksPerSecond));
      long down = exact[1].signum() < 0 ? 1 : 0;
      assertThat(chunk.nanosOf(startTicks + ticks))
          .isEqualTo(startNanos + exact[0].longValue() - down);
    }
  }
}
