/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.traffic.Inflow;

/**
 * A protocol that is understood: tells whether a connection speaks it, and follows one that does.
 * Without state, and the same for all connections.
 */
public interface Protocol {
  /** As in the configuration and in counters, for example {@code postgres}. */
  String name();

  /** The port on which it is usually served: a hint where bytes alone do not tell; 0 for none. */
  int usualPort();

  /**
   * Judges bytes that one side sent, which may be the first of the connection or begin anywhere.
   * Consumes nothing.
   */
  Likeness judge(Side side, Inflow bytes);

  /** Begins to follow a connection; bytes that came already are at hand in its inflows. */
  Conversation begin(Channel channel);
}
