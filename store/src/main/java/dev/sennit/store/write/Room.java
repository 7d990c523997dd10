/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

/**
 * How the bound of a store is divided. The file takes what rows need when they have been compressed
 * or less; beside it there must be room for the log of changes, in which they are until then.
 *
 * @param log how long the log may become
 * @param largest how much of it one transaction may take
 * @param part how much transactions take, unless one request is more; at that length the log goes
 *     into the tables
 * @param file how much the file may hold, with what the log will add to it
 * @param generation after how much of rows their stacks, frames and processes are written again
 */
public record Room(long log, long largest, long part, long file, long generation) {
  private static final long MIB = 1 << 20;

  /** Divides a bound. */
  public static Room of(long maxBytes) {
    long log = Math.clamp(maxBytes / 8, 16 * MIB, 64 * MIB);
    // What says where all else is, and blocks that are not full.
    long spare = 2 * MIB + maxBytes / 64;
    return new Room(log, log / 2, log / 4, maxBytes - log - spare, maxBytes / 8);
  }
}
