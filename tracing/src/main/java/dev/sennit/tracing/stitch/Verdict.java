/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import org.jspecify.annotations.Nullable;

/**
 * What was found about the half of a server.
 *
 * @param client its other side; null if there is none, or none that is certain
 * @param ambiguous whether there were some that it might be
 */
record Verdict(@Nullable Half client, boolean ambiguous) {
  static final Verdict ORPHANED = new Verdict(null, false);
  static final Verdict AMBIGUOUS = new Verdict(null, true);

  static Verdict joined(Half client) {
    return new Verdict(client, false);
  }
}
