/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

/** A way of reading a ring. */
@FunctionalInterface
interface RingPass {
  /** Reads every slot once. */
  void read(Tally tally);
}
