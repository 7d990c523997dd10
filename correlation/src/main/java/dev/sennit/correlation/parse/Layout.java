/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

/** A way to write lines. Each refuses what is not clearly its own, so that their order is free. */
interface Layout {
  /** Whether the line is in this layout; then the draft says what it says. */
  boolean read(Line line, Draft draft);
}
