/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import java.time.Duration;

/**
 * The bounds of a store.
 *
 * @param maxBytes what the file and what is beside it may take on disk; the oldest goes first
 * @param maxAge how long ago something may have come to be kept
 * @param queueBytes how much of the heap rows that wait to be written may take, about
 * @param memoryBytes what the database may take outside of the heap
 * @param commitEvery how long something that came waits for its transaction at most, while the disk
 *     keeps up; this much a crash may lose
 */
public record StoreSettings(
    long maxBytes, Duration maxAge, long queueBytes, long memoryBytes, Duration commitEvery) {
  private static final long MIB = 1 << 20;

  /** Below this the free space inside of the file would be more than what is kept. */
  private static final long LEAST_BYTES = 128 * MIB;

  private static final long LEAST_MEMORY = 64 * MIB;

  /** For as long as a command runs. */
  public static final StoreSettings TEMPORARY =
      new StoreSettings(512 * MIB, Duration.ofDays(1), 64 * MIB, 256 * MIB, Duration.ofMillis(100));

  /** For a file that stays. */
  public static final StoreSettings NAMED =
      new StoreSettings(
          2048 * MIB, Duration.ofDays(7), 64 * MIB, 512 * MIB, Duration.ofMillis(100));

  public StoreSettings {
    require(maxBytes >= LEAST_BYTES, "maxBytes", maxBytes, "at least " + LEAST_BYTES);
    require(maxAge.isPositive(), "maxAge", maxAge, "positive");
    require(queueBytes > 0, "queueBytes", queueBytes, "positive");
    require(memoryBytes >= LEAST_MEMORY, "memoryBytes", memoryBytes, "at least " + LEAST_MEMORY);
    require(
        commitEvery.isPositive() && commitEvery.compareTo(Duration.ofSeconds(1)) <= 0,
        "commitEvery",
        commitEvery,
        "positive and at most one second");
  }

  public StoreSettings withMaxBytes(long bytes) {
    return new StoreSettings(bytes, maxAge, queueBytes, memoryBytes, commitEvery);
  }

  public StoreSettings withMaxAge(Duration age) {
    return new StoreSettings(maxBytes, age, queueBytes, memoryBytes, commitEvery);
  }

  public StoreSettings withQueueBytes(long bytes) {
    return new StoreSettings(maxBytes, maxAge, bytes, memoryBytes, commitEvery);
  }

  private static void require(boolean holds, String name, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be " + rule);
    }
  }
}
