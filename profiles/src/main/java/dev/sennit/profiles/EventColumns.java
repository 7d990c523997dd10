/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.ProtobufEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Events as they come, in columns: which identity, when, and (if the events have one) a value. The
 * columns grow by blocks, so that no event is copied when they grow or when two are joined. An
 * event takes 12 or 20 bytes; the order that a {@link Profile} makes of them takes four more.
 *
 * <p>A place is the number of a block and a place in it; there are gaps where a block is not full.
 * Not safe for use by several threads.
 */
public final class EventColumns {
  private static final int BLOCK_BITS = 13;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int MAX_BLOCKS = 1 << (Integer.SIZE - 1 - BLOCK_BITS);

  private final boolean withValues;
  private final List<int[]> identities = new ArrayList<>();
  private final List<long[]> timestamps = new ArrayList<>();
  private final List<long[]> values = new ArrayList<>();
  private int[] identityBlock = {};
  private long[] timestampBlock = {};
  private long[] valueBlock = {};
  private int used;
  private long size;

  private EventColumns(boolean withValues) {
    this.withValues = withValues;
  }

  /** Events that count 1 each. */
  public static EventColumns ofTimestamps() {
    return new EventColumns(false);
  }

  /** Events that have a value each. */
  public static EventColumns ofTimestampsAndValues() {
    return new EventColumns(true);
  }

  /** Adds an event; the value is dropped if these events have none. */
  public void add(int identity, long timestamp, long value) {
    if (used == identityBlock.length) {
      addBlock();
    }
    identityBlock[used] = identity;
    timestampBlock[used] = timestamp;
    if (withValues) {
      valueBlock[used] = value;
    }
    used++;
    size++;
  }

  /** Takes the events of another, which is empty then; no event is moved but the last few. */
  public void addAll(EventColumns other) {
    if (other.withValues != withValues) {
      throw new IllegalArgumentException(
          "events with values and events without cannot be joined: "
              + size
              + (withValues ? " with" : " without")
              + " and "
              + other.size
              + (other.withValues ? " with" : " without"));
    }
    trim();
    other.trim();
    checkBlocks(identities.size() + other.identities.size());
    identities.addAll(other.identities);
    timestamps.addAll(other.timestamps);
    values.addAll(other.values);
    size += other.size;
    other.clear();
  }

  /** Gives every event the identity that {@code newIdentities} has for its present one. */
  public void renumber(int[] newIdentities) {
    trim();
    for (int[] block : identities) {
      for (int i = 0; i < block.length; i++) {
        block[i] = newIdentities[block[i]];
      }
    }
  }

  public boolean hasValues() {
    return withValues;
  }

  public long size() {
    return size;
  }

  public void clear() {
    identities.clear();
    timestamps.clear();
    values.clear();
    identityBlock = new int[0];
    timestampBlock = new long[0];
    valueBlock = new long[0];
    used = 0;
    size = 0;
  }

  /** The timestamps by block, for {@link #at}; complete once the events were counted. */
  long[][] timestampBlocks() {
    return timestamps.toArray(long[][]::new);
  }

  long[][] valueBlocks() {
    return values.toArray(long[][]::new);
  }

  static long at(long[][] blocks, int place) {
    return blocks[place >>> BLOCK_BITS][place & BLOCK - 1];
  }

  /** The number of events of each identity. */
  int[] countByIdentity(int identityCount) {
    trim();
    int[] counts = new int[identityCount];
    for (int[] block : identities) {
      for (int identity : block) {
        counts[identity]++;
      }
    }
    return counts;
  }

  /** The bytes that the values of each identity take as varints. */
  long[] packedByIdentity(int identityCount) {
    long[] packed = new long[identityCount];
    for (int b = 0; b < values.size(); b++) {
      int[] block = identities.get(b);
      long[] ofBlock = values.get(b);
      for (int i = 0; i < block.length; i++) {
        packed[block[i]] += ProtobufEncoder.sizeOfVarint(ofBlock[i]);
      }
    }
    return packed;
  }

  /**
   * Puts the place of every event to where the events of its identity go, as they came, and moves
   * that on: the second half of a counting sort, by which no event moves.
   */
  void distribute(int[] nextByIdentity, int[] order) {
    for (int b = 0; b < identities.size(); b++) {
      int[] block = identities.get(b);
      for (int i = 0; i < block.length; i++) {
        order[nextByIdentity[block[i]]++] = b << BLOCK_BITS | i;
      }
    }
  }

  /** Forgets which event is of which identity, once that is no longer needed. */
  void dropIdentities() {
    identities.clear();
    identityBlock = new int[0];
  }

  private void addBlock() {
    checkBlocks(identities.size() + 1);
    identityBlock = new int[BLOCK];
    timestampBlock = new long[BLOCK];
    identities.add(identityBlock);
    timestamps.add(timestampBlock);
    if (withValues) {
      valueBlock = new long[BLOCK];
      values.add(valueBlock);
    }
    used = 0;
  }

  /** Cuts the last block to what is used of it; the next event begins another. */
  private void trim() {
    if (used < identityBlock.length) {
      int last = identities.size() - 1;
      identities.set(last, Arrays.copyOf(identityBlock, used));
      timestamps.set(last, Arrays.copyOf(timestampBlock, used));
      if (withValues) {
        values.set(last, Arrays.copyOf(valueBlock, used));
      }
    }
    identityBlock = new int[0];
    timestampBlock = new long[0];
    valueBlock = new long[0];
    used = 0;
  }

  private static void checkBlocks(int blocks) {
    if (blocks > MAX_BLOCKS) {
      throw new IllegalStateException(
          "more than " + (long) MAX_BLOCKS * BLOCK + " events in one profile; give a time range");
    }
  }
}
