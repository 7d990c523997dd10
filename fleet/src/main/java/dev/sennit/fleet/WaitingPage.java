/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import org.jspecify.annotations.Nullable;

/**
 * A page of the log of traces that wait: what one step changed in them, and the bytes of the spans
 * that wait since then. It is needed as long as one of these traces waits.
 */
final class WaitingPage {
  final long number;

  /** When it was written, in milliseconds since 1970. */
  final long time;

  /** So many traces that wait need it. */
  int needed;

  /** How many traces it tells of. */
  int traces;

  /** How many bytes of it are in memory; 0 if it is on disk. */
  int inMemory;

  /** Null if it is on disk, or not yet written. */
  @Nullable PageContent content;

  WaitingPage(long number, long time) {
    this.number = number;
    this.time = time;
  }
}
