/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

/**
 * By how much the clock of a server's host may be ahead of that of a client's host.
 *
 * @param known false where nothing is known but the largest skew that is looked for
 */
record ClockOffset(long least, long most, boolean known) {
  /** What rounding and the unknown rest of the estimate may be wrong by, in nanoseconds. */
  static final long TOLERANCE = 20_000;

  /** Whether the server's half lies inside of the client's for an offset that is possible. */
  boolean allows(Half client, Half server) {
    return server.end - client.end <= most + TOLERANCE
        && server.start - client.start >= least - TOLERANCE
        && server.duration() <= client.duration() + 2 * TOLERANCE;
  }

  /** Whether the two overlap for certain, though neither may lie inside of the other. */
  boolean overlaps(Half client, Half server) {
    return client.start + most + TOLERANCE < server.end
        && server.start < client.end + least - TOLERANCE;
  }
}
