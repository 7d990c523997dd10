/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.traffic.Piece;

/**
 * What one connection says in one protocol. It consumes what it understands from the inflows of its
 * {@link Channel} and tells that of each exchange that ends. It never throws, whatever the bytes
 * are; where it has lost its place it says so by {@link Channel#lost} and begins anew at the next
 * place that is certain.
 */
public interface Conversation {
  /** More of a side has come: bytes, or a gap. */
  void advance(Side side);

  /** The connection has ended. What is open ends with it. */
  void end(Piece by);

  /** Whether something of it waits for an answer. Such a connection is not forgotten when idle. */
  boolean isOpen();
}
