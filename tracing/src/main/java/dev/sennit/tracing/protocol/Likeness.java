/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

/** How far the first bytes of a connection look like a protocol. */
public enum Likeness {
  /** They are of another protocol. */
  NO,
  /** They are too few to tell. */
  TOO_FEW,
  /** They could be. The protocol's port, or nobody else's claim, decides. */
  PERHAPS,
  /** Hardly any other protocol begins so. */
  CLEAR
}
