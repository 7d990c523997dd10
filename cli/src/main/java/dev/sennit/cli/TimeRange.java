/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What {@code --from} and {@code --to} ask for; without them there is no limit. */
record TimeRange(@Nullable Moment from, @Nullable Moment to) {
  /** The first moment that counts, if recordings start then. */
  Instant first(Instant start) {
    return from == null ? Instant.MIN : from.after(start);
  }

  /** The moment after the last; it has to be later than the first. */
  Instant end(Instant start) {
    Instant end = to == null ? Instant.MAX : to.after(start);
    if (!first(start).isBefore(end)) {
      throw CommandFailure.wrongInput("--from " + first(start) + " is not before --to " + end);
    }
    return end;
  }
}
