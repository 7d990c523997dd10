/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.math.BigInteger;

/**
 * A part of a recording that can be read by itself: it has its own clock, types and constants. Only
 * its header is in memory until it is opened.
 */
public final class JfrChunk {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** With a faster clock, a fraction of a second times a billion is more than a long. */
  private static final long FASTEST_CLOCK = Long.MAX_VALUE / NANOS_PER_SECOND;

  private final JfrFile file;
  private final long offset;
  private final long length;
  private final boolean partial;
  private final ChunkHeader header;

  JfrChunk(JfrFile file, long offset, long length, boolean partial, ChunkHeader header) {
    this.file = file;
    this.offset = offset;
    this.length = length;
    this.partial = partial;
    this.header = header;
  }

  /** Maps the chunk and reads its types. The reader belongs to the calling thread. */
  public ChunkReader open() throws IOException {
    return ChunkReader.open(this);
  }

  /** When {@code ticks} of the chunk's clock were, in nanoseconds since 1970; rounded down. */
  public long nanosOf(long ticks) {
    return header.startNanos() + durationOf(ticks - header.startTicks());
  }

  /** How long {@code ticks} of the chunk's clock are, in nanoseconds; rounded down. */
  public long durationOf(long ticks) {
    long frequency = header.ticksPerSecond();
    if (frequency == NANOS_PER_SECOND) {
      return ticks;
    }
    long seconds = Math.floorDiv(ticks, frequency);
    long fraction = Math.floorMod(ticks, frequency);
    long nanos =
        frequency <= FASTEST_CLOCK
            ? fraction * NANOS_PER_SECOND / frequency
            : BigInteger.valueOf(fraction)
                .multiply(BigInteger.valueOf(NANOS_PER_SECOND))
                .divide(BigInteger.valueOf(frequency))
                .longValue();
    return seconds * NANOS_PER_SECOND + nanos;
  }

  JfrFile file() {
    return file;
  }

  ChunkHeader header() {
    return header;
  }

  /** Where the chunk starts in the file. */
  public long offset() {
    return offset;
  }

  /** Bytes of the chunk that are in the file. */
  public long length() {
    return length;
  }

  /** Whether its writer has not closed the chunk, or the file ends before it does. */
  public boolean partial() {
    return partial;
  }

  /** How many bytes are missing of a chunk that its writer has closed; 0 of any other. */
  public long missing() {
    return Math.max(0, header.size() - length);
  }

  public long startNanos() {
    return header.startNanos();
  }

  public long durationNanos() {
    return header.durationNanos();
  }

  public long startTicks() {
    return header.startTicks();
  }

  public long ticksPerSecond() {
    return header.ticksPerSecond();
  }

  /** Whether integers have a variable length. */
  public boolean compressedIntegers() {
    return (header.features() & ChunkHeader.FEATURE_COMPRESSED_INTEGERS) != 0;
  }

  @Override
  public String toString() {
    return file.path() + "[" + offset + ", " + (offset + length) + ")";
  }
}
