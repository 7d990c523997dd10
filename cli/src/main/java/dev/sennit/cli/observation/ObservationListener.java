/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.correlation.record.LogRecord;
import dev.sennit.tracing.span.Span;

/** Hears of what an observation finds, beside the collector. */
public interface ObservationListener {
  /** One that hears nothing. */
  ObservationListener NONE = new ObservationListener() {};

  /** A span was made. */
  default void onSpan(Span span) {}

  /** A line was read. */
  default void onRecord(LogRecord record) {}
}
