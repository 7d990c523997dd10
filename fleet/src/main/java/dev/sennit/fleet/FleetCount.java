/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

/** What an instance counts. */
public enum FleetCount {
  /** Records that came. */
  RECORDS,
  /** Records, or spans of them, that went to the dead letters. */
  DEAD_LETTERS,
  /** Spans that came and could be read. */
  SPANS,
  /** Spans that had come before, and were dropped. */
  DUPLICATES,
  /** Spans that went out. */
  FINISHED,
  /** Of these, spans that went out under the name of another trace. */
  RENAMED,
  /** Traces that were joined to the one that they continue. */
  JOINED,
  /** Traces whose root is a SERVER span for which nothing was found. */
  NOT_JOINED,
  /** Traces that were to be joined when their spans had gone already. */
  TOO_LATE,
  /** Traces that kept their names because their root did not come in time. */
  WITHOUT_ROOT,
  /** Traces that kept their names because no answer came within the retention. */
  GIVEN_UP,
  /** Spans of hosts whose clock is ahead by more than the grace, which are not compared. */
  CLOCK_AHEAD
}
