/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** Something that a client asked for and that is not answered yet. */
final class Asked {
  /** How it is answered. */
  enum Kind {
    /** Several statements perhaps; ReadyForQuery ends it. */
    QUERY,
    /** One statement, which one message ends. */
    EXECUTE,
    /** Preparations that nothing was executed after; told only if they fail. */
    PREPARE,
    /** Answered by ReadyForQuery alone. */
    SYNC
  }

  final Kind kind;

  /** Null where there is nothing to tell. */
  final @Nullable Exchange exchange;

  /** What it does, as PostgreSQL will call it when it is done; empty if that is not clear. */
  final String verb;

  /** The server has said that it failed. */
  boolean failed;

  long requestBytes;
  long responseBytes;

  /** How many like this, where there are too many to hold each. */
  int count = 1;

  Asked(Kind kind, @Nullable Exchange exchange, @Nullable String verb) {
    this.kind = kind;
    this.exchange = exchange;
    this.verb = verb == null ? "" : verb;
  }

  boolean endsWhenReady() {
    return kind == Kind.QUERY || kind == Kind.SYNC;
  }
}
